package dev.shelfmark.compat.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/**
 * A partition's files on one broker's disk.
 *
 * @param directory where they are, when the broker holds the partition
 */
public record LocalLog(Path directory) {

    private static final String SUFFIX = ".log";

    /** The partition's files on this broker. */
    public static LocalLog of(Broker broker, TopicPartition partition) {
        return new LocalLog(broker.data().resolve(partition.topic() + "-" + partition.partition()));
    }

    /** The base offset of each segment that is not on its way out, ascending. */
    public List<Long> baseOffsets() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> Long.parseLong(name.substring(0, name.length() - SUFFIX.length())))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("can't list " + directory, e);
        }
    }
}
