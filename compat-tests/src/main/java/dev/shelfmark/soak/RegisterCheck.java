package dev.shelfmark.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Whether all that the brokers wrote and read, by their own records, is what one register with a version does for each partition: every commit that was
 * applied began at the result of the one before, and none was seen before it was sent or missed after it was acknowledged.
 */
final class RegisterCheck {

    private static final long NEVER = Long.MAX_VALUE;

    private final Map<String, List<Commit>> commits = new TreeMap<>();
    private final Map<String, List<Read>> reads = new HashMap<>();

    /** Of a call that has not ended, or of which nobody knows what became, {@code certain} is false. */
    private record Commit(long begun, long ended, long expected, long version, boolean certain) {}

    private record Read(long begun, long ended, long version) {}

    /**
     * Checks all records in a directory.
     *
     * @return what is wrong; empty when nothing is
     */
    static List<String> of(Path directory) {
        RegisterCheck check = new RegisterCheck();
        try (Stream<Path> files = Files.list(directory)) {
            files.forEach(check::take);
        } catch (IOException e) {
            throw new UncheckedIOException("can't list " + directory, e);
        }
        List<String> wrong = new ArrayList<>();
        check.commits.forEach((partition, all) -> wrong.addAll(check.partition(partition, all)));
        return wrong;
    }

    private void take(Path file) {
        Map<String, String[]> open = new HashMap<>();
        try (Stream<String> lines = Files.lines(file, StandardCharsets.US_ASCII)) {
            lines.map(line -> line.split(" ", -1)).forEach(line -> {
                if (line[0].equals("B") && line.length == 6) {
                    open.put(line[1], line);
                } else if (line[0].equals("E") && line.length == 4) {
                    String[] began = open.remove(line[1]);
                    if (began != null) {
                        ended(began, Long.parseLong(line[2]), line[3]);
                    }
                } else if (line[0].equals("R") && line.length == 5) {
                    reads.computeIfAbsent(line[3], partition -> new ArrayList<>())
                            .add(new Read(Long.parseLong(line[1]), Long.parseLong(line[2]), Long.parseLong(line[4])));
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("can't read " + file, e);
        }
        open.values().forEach(began -> ended(began, NEVER, "unknown"));
    }

    private void ended(String[] began, long at, String outcome) {
        if (outcome.equals("committed") || outcome.equals("unknown")) {
            boolean certain = outcome.equals("committed");
            // What is not known to have ended may be applied later.
            commits.computeIfAbsent(began[3], partition -> new ArrayList<>())
                    .add(new Commit(
                            Long.parseLong(began[2]),
                            certain ? at : NEVER,
                            Long.parseLong(began[4]),
                            Long.parseLong(began[5]),
                            certain));
        }
    }

    private List<String> partition(String partition, List<Commit> all) {
        List<String> wrong = new ArrayList<>();
        List<Commit> certain = all.stream()
                .filter(Commit::certain)
                .sorted(Comparator.comparingLong(Commit::version))
                .toList();
        long version = 0;
        long latestBegin = 0;
        for (Commit commit : certain) {
            if (commit.expected() < version) {
                wrong.add("partition " + partition + ": a commit from version " + commit.expected() + " to "
                        + commit.version() + " was applied although version " + version + " was there already");
            } else if (!reachable(all, version, commit.expected())) {
                wrong.add("partition " + partition + ": a commit began at version " + commit.expected()
                        + ", which no commit after version " + version + " led to");
            }
            if (commit.ended() < latestBegin) {
                wrong.add("partition " + partition + ": the commit to version " + commit.version()
                        + " had ended before an earlier version's began");
            }
            version = Math.max(version, commit.version());
            latestBegin = Math.max(latestBegin, commit.begun());
        }
        wrong.addAll(reads(partition, certain, all));
        return wrong;
    }

    /** Whether commits of which nobody knows what became can lead from one version to another. */
    private static boolean reachable(List<Commit> all, long from, long to) {
        Set<Long> reached = new HashSet<>(Set.of(from));
        List<Commit> uncertain = all.stream()
                .filter(commit -> !commit.certain())
                .sorted(Comparator.comparingLong(Commit::expected))
                .toList();
        for (Commit commit : uncertain) {
            if (reached.contains(commit.expected())) {
                reached.add(commit.version());
            }
        }
        return reached.contains(to);
    }

    private List<String> reads(String partition, List<Commit> certain, List<Commit> all) {
        List<String> wrong = new ArrayList<>();
        TreeMap<Long, Long> acknowledged = new TreeMap<>();
        certain.forEach(commit -> acknowledged.merge(commit.ended(), commit.version(), Math::max));
        long highest = 0;
        for (Map.Entry<Long, Long> each : acknowledged.entrySet()) {
            highest = Math.max(highest, each.getValue());
            each.setValue(highest);
        }
        Map<Long, Long> sent = new HashMap<>();
        all.forEach(commit -> sent.merge(commit.version(), commit.begun(), Math::min));
        for (Read read : reads.getOrDefault(partition, List.of())) {
            Map.Entry<Long, Long> before = acknowledged.lowerEntry(read.begun());
            if (before != null && read.version() < before.getValue()) {
                wrong.add("partition " + partition + ": a read gave version " + read.version() + " after version "
                        + before.getValue() + " was acknowledged");
            }
            if (read.version() > 0 && sent.getOrDefault(read.version(), NEVER) > read.ended()) {
                wrong.add("partition " + partition + ": a read gave version " + read.version()
                        + ", which nobody had sent by then");
            }
        }
        return wrong;
    }
}
