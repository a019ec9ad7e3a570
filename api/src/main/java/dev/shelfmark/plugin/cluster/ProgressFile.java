package dev.shelfmark.plugin.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Keeps {@link SeenProgress} over a restart, in a small text file of one broker of one cluster:
 *
 * <pre>
 * version 1
 * cluster lkc-1
 * broker 3
 * catalogue xtzWWN4bTjitpL3kfd9s5g
 * source-of-truth yes
 * replaced 3qPd4uKxSRSfVqfTVP6KrQ
 * counter 1 470
 * counter 3 500
 * end
 * </pre>
 */
final class ProgressFile {

    /** In the broker's directory. */
    static final String NAME = "shelfmark-catalogue-checkpoint";

    private static final String VERSION = "version 1";
    private static final String END = "end";

    private final Path path;
    private final String clusterId;
    private final int brokerId;

    ProgressFile(Path directory, String clusterId, int brokerId) {
        this.path = directory.resolve(NAME);
        this.clusterId = clusterId;
        this.brokerId = brokerId;
    }

    Path path() {
        return path;
    }

    /**
     * What was kept; empty when there is no file.
     *
     * @throws IOException when it can't be read, is damaged, or is another broker's; the message says so
     */
    Optional<SeenProgress> read() throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(path);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        return Optional.of(parse(lines));
    }

    private SeenProgress parse(List<String> lines) throws IOException {
        if (lines.isEmpty()
                || !lines.get(0).equals(VERSION)
                || !lines.get(lines.size() - 1).equals(END)) {
            throw new IOException("it is damaged or of another version");
        }
        String catalogue = "";
        boolean authoritative = false;
        Set<String> replaced = new TreeSet<>();
        NavigableMap<Integer, Long> counters = new TreeMap<>();
        for (String line : lines.subList(1, lines.size() - 1)) {
            int space = line.indexOf(' ');
            String key = space < 0 ? line : line.substring(0, space);
            String value = space < 0 ? "" : line.substring(space + 1);
            switch (key) {
                case "cluster" -> requireOurs(key, value, clusterId);
                case "broker" -> requireOurs(key, value, Integer.toString(brokerId));
                case "catalogue" -> catalogue = value;
                case "source-of-truth" -> authoritative = value.equals("yes");
                case "replaced" -> replaced.add(value);
                case "counter" -> counter(value, counters);
                default -> throw new IOException("it has a line '" + key + "' that this build does not know");
            }
        }
        if (catalogue.isEmpty()) {
            throw new IOException("it names no catalogue");
        }
        return new SeenProgress(catalogue, replaced, authoritative, counters);
    }

    private static void requireOurs(String key, String found, String ours) throws IOException {
        if (!found.equals(ours)) {
            throw new IOException("it is of " + key + " " + found + ", not of " + key + " " + ours
                    + ": it was copied from elsewhere");
        }
    }

    private static void counter(String value, NavigableMap<Integer, Long> counters) throws IOException {
        int space = value.indexOf(' ');
        try {
            counters.put(Integer.parseInt(value.substring(0, space)), Long.parseLong(value.substring(space + 1)));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IOException("it is damaged: its line 'counter " + value + "' holds no counter", e);
        }
    }

    /** Puts a new file in the place of the old one; a crash leaves one of the two. */
    void write(SeenProgress seen) throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                VERSION,
                "cluster " + clusterId,
                "broker " + brokerId,
                "catalogue " + seen.catalogueId(),
                "source-of-truth " + (seen.authoritative() ? "yes" : "no")));
        new TreeSet<>(seen.replaced()).forEach(id -> lines.add("replaced " + id));
        seen.counters().forEach((broker, counter) -> lines.add("counter " + broker + " " + counter));
        lines.add(END);
        Path next = path.resolveSibling(NAME + ".tmp");
        try (FileChannel channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
