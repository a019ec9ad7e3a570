package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.kafka.MetadataTopic.Offsets;
import dev.shelfmark.tool.kafka.TopicInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What is looked at before anything is written. Pure: it is told what there is. */
public final class ImportPreflight {

    /** The option that accepts that a part of the history is gone. */
    public static final String ACCEPT_TRUNCATED = "--accept-truncated-history";

    private final boolean acceptTruncated;

    public ImportPreflight(boolean acceptTruncated) {
        this.acceptTruncated = acceptTruncated;
    }

    /** Whether the topic holds the whole history. */
    public List<PreflightFinding> source(Optional<MetadataTopic> found, Collection<TopicInfo> topics) {
        if (found.isEmpty()) {
            return List.of(PreflightFinding.refused("the cluster has no topic " + MetadataTopic.NAME
                    + ": there is nothing to import; 'shelfmark init' registers a new cluster"));
        }
        MetadataTopic topic = found.get();
        List<PreflightFinding> findings = new ArrayList<>();
        if (topic.records() == 0 && topic.removed() == 0) {
            findings.add(PreflightFinding.refused("the topic " + MetadataTopic.NAME
                    + " is empty: there is nothing to import; 'shelfmark init' registers a new cluster"));
        } else {
            findings.add(PreflightFinding.ok("the topic " + MetadataTopic.NAME + " holds " + topic.records()
                    + " records in " + topic.partitions().size() + " partitions"));
        }
        retention(topic, topics).ifPresent(findings::add);
        return findings;
    }

    private Optional<PreflightFinding> retention(MetadataTopic topic, Collection<TopicInfo> topics) {
        if (topic.retentionMs() < 0 && topic.retentionBytes() < 0) {
            return Optional.of(PreflightFinding.ok("its records are kept for ever"));
        }
        long longest = topics.stream()
                .filter(TopicInfo::tiered)
                .mapToLong(info -> info.retentionMs() < 0 ? Long.MAX_VALUE : info.retentionMs())
                .max()
                .orElse(0);
        String kept = topic.retentionMs() < 0 ? "" : " for " + Duration.ofMillis(topic.retentionMs());
        String most = topic.retentionBytes() < 0 ? "" : " up to " + topic.retentionBytes() + " bytes";
        if (topic.retentionBytes() < 0 && topic.retentionMs() >= longest) {
            return Optional.of(
                    PreflightFinding.ok("its records are kept" + kept + ", no shorter than any tiered topic's"));
        }
        return Optional.of(lost("its records are kept only" + kept + most
                + ", less than tiered data, so the oldest may be gone and more may go during the import; set its"
                + " retention.ms and retention.bytes to -1 first"));
    }

    private PreflightFinding lost(String text) {
        return acceptTruncated
                ? PreflightFinding.warning(text + " (accepted by " + ACCEPT_TRUNCATED + ")")
                : PreflightFinding.refused(text + ". " + ACCEPT_TRUNCATED + " imports what is left");
    }

    /** Whether the cluster may be imported as it is registered. */
    public PreflightFinding registration(String clusterId, Optional<ClusterRecord> known) {
        if (known.isEmpty()) {
            return PreflightFinding.ok("the store does not know cluster " + clusterId + " yet; it becomes importing");
        }
        ClusterRecord record = known.get();
        if (record.state() == ClusterState.IMPORTING) {
            return PreflightFinding.ok("cluster " + clusterId + " is importing since " + record.changedAt() + ", by "
                    + record.changedBy());
        }
        return PreflightFinding.refused(
                "cluster " + clusterId + " is " + record.state().name().toLowerCase(Locale.ROOT)
                        + " since " + record.changedAt() + ", by " + record.changedBy()
                        + ": its catalogue is not to be imported into; 'shelfmark state' shows it");
    }

    /** Whether what was brought in before, if anything, fits the topic. */
    public List<PreflightFinding> progress(MetadataTopic topic, BulkLoader loader) {
        Map<Integer, Checkpoint> checkpoints = loader.checkpoints();
        if (checkpoints.isEmpty()
                && topic.partitions().stream()
                        .allMatch(
                                offsets -> loader.progress(offsets.partition()).isEmpty())
                && !loader.empty()) {
            return List.of(PreflightFinding.refused(
                    "the catalogue of this cluster is not empty, and no import wrote it: an import would"
                            + " mix two histories. Use another schema or database, or remove what is there"));
        }
        return progress(topic, checkpoints);
    }

    /**
     * The topic as it stood when these checkpoints were read, or later. Whoever moved them may have read what came after it was asked for; that is
     * not lost, though it lies behind the ends that were told.
     *
     * @param again asks the brokers for it
     */
    public static MetadataTopic asOf(
            Map<Integer, Checkpoint> checkpoints, MetadataTopic topic, Supplier<Optional<MetadataTopic>> again) {
        boolean older = topic.partitions().stream().anyMatch(offsets -> {
            Checkpoint checkpoint = checkpoints.get(offsets.partition());
            return checkpoint != null && checkpoint.nextOffset() > offsets.end();
        });
        return older ? again.get().orElse(topic) : topic;
    }

    /** Whether the topic still has what comes behind these checkpoints. */
    public List<PreflightFinding> progress(MetadataTopic topic, Map<Integer, Checkpoint> checkpoints) {
        // Of all of them: the topic may have fewer partitions than it had.
        for (Checkpoint checkpoint : checkpoints.values()) {
            if (!checkpoint.sourceId().equals(topic.id().toString())) {
                return List.of(
                        PreflightFinding.refused("an earlier import read another topic " + MetadataTopic.NAME + " (id "
                                + checkpoint.sourceId() + "; it is " + topic.id()
                                + " now): it was deleted and created again since. Import into an empty catalogue"));
            }
        }
        List<PreflightFinding> findings = new ArrayList<>();
        if (topic.compacted()) {
            // Kafka's manager gives its records no keys, and of such compaction keeps none, wherever they stand.
            findings.add(lost("the topic " + MetadataTopic.NAME + " is compacted (cleanup.policy="
                    + topic.cleanupPolicy() + "), which removes records without a key from anywhere in it, so some may"
                    + " be gone and more may go during the import; set its cleanup.policy to delete first. If this Kafka"
                    + " set the policy itself, the topic has a format (remote.log.metadata.version 1 or 2) that needs a newer"
                    + " Shelfmark"));
        }
        long done = 0;
        long cut = 0;
        for (Offsets offsets : topic.partitions()) {
            Checkpoint checkpoint = checkpoints.get(offsets.partition());
            long next = checkpoint == null ? 0 : checkpoint.nextOffset();
            if (next > offsets.end()) {
                return List.of(PreflightFinding.refused("partition " + offsets.partition() + " of " + MetadataTopic.NAME
                        + " ends at offset " + offsets.end() + ", but an earlier import read up to " + next
                        + ": its brokers have lost records. Import into an empty catalogue"));
            }
            done += next;
            cut += Math.max(0, offsets.start() - next);
        }
        if (done > 0) {
            findings.add(PreflightFinding.ok(
                    "an earlier import came to offset " + done + " in all; this one goes on from there"));
        }
        if (cut > 0) {
            findings.add(lost("the first " + cut + " records of " + MetadataTopic.NAME
                    + " were removed by retention before they were imported: segments that they added can't be found"));
        }
        return findings;
    }
}
