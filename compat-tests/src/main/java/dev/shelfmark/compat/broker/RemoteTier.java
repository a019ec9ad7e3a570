package dev.shelfmark.compat.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;

/**
 * What lies in the remote tier, seen from outside of the brokers.
 *
 * @param directory where the remote storage keeps it
 */
public record RemoteTier(Path directory) {

    /** The ids of the complete segments of a partition, in Kafka's textual form. */
    public Set<String> segments(Uuid topicId, int partition) {
        Path segments = directory.resolve(topicId.toString()).resolve(Integer.toString(partition));
        if (!Files.isDirectory(segments)) {
            return Set.of();
        }
        try (Stream<Path> entries = Files.list(segments)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> !name.endsWith(".part"))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException("can't list " + segments, e);
        }
    }
}
