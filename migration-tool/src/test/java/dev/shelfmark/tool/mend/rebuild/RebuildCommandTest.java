package dev.shelfmark.tool.mend.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.Shell;
import dev.shelfmark.tool.Shell.Result;
import dev.shelfmark.tool.storage.SmallS3;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code shelfmark rebuild} from a bucket in Aiven's layout, with much in it that is not as it should be. */
final class RebuildCommandTest {

    private static final String PREFIX = "tier/";
    private static final String TOPIC = "orders";
    private static final Instant MONTH_AGO = Shell.NOW.minus(Duration.ofDays(30));

    private final Path directory;
    private final Shell shell;
    private final SmallS3 s3 = new SmallS3();
    private final UUID topicId = UUID.randomUUID();

    RebuildCommandTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        shell = new Shell(directory);
        assertThat(shell.runConfigured("upgrade-schema").exit()).isZero();
        shell.topic(topicId, TOPIC, -1);
    }

    @BeforeAll
    static void credentials() {
        System.setProperty("aws.accessKeyId", "AKIDTEST");
        System.setProperty("aws.secretAccessKey", "of-no-worth");
    }

    @AfterAll
    static void noCredentials() {
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
    }

    @AfterEach
    void close() {
        s3.close();
    }

    private static SegmentRecord segment(long start, long end) {
        LeaderEpochs epochs = LeaderEpochs.of(new TreeMap<>(Map.of(2, start, 3, end)));
        return SegmentRecord.builder(UUID.randomUUID(), start, end, epochs)
                .maxTimestampMs(1_700_000_000_000L)
                .sizeInBytes(4711)
                .txnIndexEmpty(true)
                .brokerId(3)
                .eventTimestampMs(1_700_000_000_500L)
                .build();
    }

    private SegmentRecord store(SegmentRecord segment, String... files) {
        return store(topicId, segment, MONTH_AGO, files);
    }

    private SegmentRecord store(UUID topic, SegmentRecord segment, Instant modified, String... files) {
        for (String file : files.length == 0 ? new String[] {"log", "indexes", "rsm-manifest"} : files) {
            s3.objects.put(
                    PREFIX + AivenObjects.key(TOPIC, topic, 7, segment, file),
                    file.equals("rsm-manifest")
                            ? new SmallS3.Entry(manifest(topic, segment), modified)
                            : new SmallS3.Entry(1000, modified));
        }
        return segment;
    }

    private static String manifest(UUID topic, SegmentRecord segment) {
        return new String(AivenObjects.manifest(TOPIC, topic, 7, segment, true), StandardCharsets.UTF_8);
    }

    private void manifest(SegmentRecord segment, String text) {
        s3.objects.put(
                PREFIX + AivenObjects.key(TOPIC, topicId, 7, segment, "rsm-manifest"),
                new SmallS3.Entry(text, MONTH_AGO));
    }

    private Result rebuild(String... more) {
        return shell.runConfigured(Stream.concat(
                        Stream.of(
                                "rebuild",
                                "--bucket",
                                "bucket",
                                "--s3-region",
                                "eu-central-1",
                                "--s3-endpoint",
                                s3.endpoint().toString(),
                                "--prefix",
                                PREFIX,
                                "--layout",
                                "aiven"),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    private Result withBrokers(String... more) {
        return rebuild(Stream.concat(Stream.of("--bootstrap-server", "broker:9092"), Stream.of(more))
                .toArray(String[]::new));
    }

    private PartitionKey key() {
        return new PartitionKey(Shell.CLUSTER, topicId, 7);
    }

    private List<SegmentRecord> rows() {
        List<SegmentRecord> rows = new ArrayList<>();
        shell.store().read(key(), new Selection.ChangedSince(0), rows::add);
        rows.sort(java.util.Comparator.comparingLong(SegmentRecord::finishedVersion));
        return rows;
    }

    private List<UUID> ids() {
        return rows().stream().map(SegmentRecord::segmentId).toList();
    }

    private SegmentRecord row(SegmentRecord of) {
        return rows().stream()
                .filter(row -> row.segmentId().equals(of.segmentId()))
                .findFirst()
                .orElseThrow();
    }

    private ClusterState state() {
        return shell.store().cluster(Shell.CLUSTER).orElseThrow().state();
    }

    private static String id(SegmentRecord segment) {
        return TextualId.of(segment.segmentId());
    }

    @Test
    void aLostCatalogueComesBack() throws IOException {
        SegmentRecord second = store(topicId, segment(100, 199), MONTH_AGO.plusSeconds(60));
        SegmentRecord first = store(segment(0, 99));
        s3.objects.put(PREFIX + "readme.txt", new SmallS3.Entry(7, MONTH_AGO));
        Path plan = directory.resolve("plan.jsonl");

        Result dry = withBrokers("--dry-run", "--plan", plan.toString());
        assertThat(dry.exit()).as(dry.err()).isZero();
        assertThat(dry.err()).contains("would bring in 2 of 2 segments", "1 of 7 objects are not named");
        assertThat(rows()).isEmpty();
        assertThat(shell.store().cluster(Shell.CLUSTER)).isEmpty();
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(plan)) {
            lines.add(new ObjectMapper().readTree(line));
        }
        assertThat(lines)
                .hasSize(2)
                .allSatisfy(line -> assertThat(line.get("action").asText()).isEqualTo("add"));

        Result result = withBrokers("--output", "json");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(state()).isEqualTo(ClusterState.RESTORING);
        assertThat(ids()).containsExactly(first.segmentId(), second.segmentId());
        assertThat(rows().get(0))
                .isEqualTo(first.toBuilder()
                        .state(SegmentState.COPY_SEGMENT_FINISHED)
                        .eventTimestampMs(MONTH_AGO.toEpochMilli())
                        .version(2)
                        .finishedVersion(2)
                        .build());
        JsonNode row = new ObjectMapper().readTree(result.out()).get(0);
        assertThat(row.get("topic").asText()).isEqualTo(TOPIC);
        assertThat(row.get("add").asInt()).isEqualTo(2);
        assertThat(row.get("toOffset").asLong()).isEqualTo(199);
        assertThat(s3.deleted).isEmpty();

        List<SegmentRecord> before = rows();
        Result again = withBrokers();
        assertThat(again.exit()).isZero();
        assertThat(again.err()).contains("nothing was changed", "2 x keep");
        assertThat(rows()).isEqualTo(before);
        assertThat(s3.read).as("manifests only").allMatch(key -> key.endsWith(".rsm-manifest"));
    }

    @Test
    void eachFaultIsToldInALineAndTheRestGoesOn() {
        SegmentRecord good = store(segment(0, 99));
        SegmentRecord cut = store(segment(100, 199));
        manifest(cut, manifest(topicId, cut).substring(0, 200));
        SegmentRecord newer = store(segment(200, 299));
        manifest(newer, manifest(topicId, newer).replace("\"version\":\"1\"", "\"version\":\"2\""));
        SegmentRecord other = store(segment(300, 399));
        manifest(other, manifest(topicId, segment(300, 399)));
        SegmentRecord noLog = store(segment(400, 499), "indexes", "rsm-manifest");
        SegmentRecord future = store(topicId, segment(500, 599), Shell.NOW.plus(Duration.ofHours(1)));
        UUID gone = UUID.randomUUID();
        SegmentRecord ofGone = store(gone, segment(0, 99), MONTH_AGO);
        SegmentRecord last = store(segment(600, 699));

        Result result = withBrokers();
        assertThat(result.exit()).isEqualTo(1);
        assertThat(ids()).containsExactly(good.segmentId(), last.segmentId());
        assertThat(result.err().lines().toList())
                .anyMatch(
                        line -> line.startsWith("unreadable: ") && line.contains(id(cut)) && line.contains("cut short"))
                .anyMatch(line ->
                        line.startsWith("unreadable: ") && line.contains(id(newer)) && line.contains("version '2'"))
                .anyMatch(line ->
                        line.startsWith("unreadable: ") && line.contains(id(other)) && line.contains("not the one"))
                .anyMatch(line ->
                        line.startsWith("incomplete: ") && line.contains(id(noLog)) && line.contains("missing: log"))
                .anyMatch(line ->
                        line.startsWith("clockSkew: ") && line.contains(id(future)) && line.contains("in the future"))
                .anyMatch(line -> line.startsWith("unknownTopic: ") && line.contains(id(ofGone)));

        assertThat(withBrokers("--clock-skew", "2h", "--include-unknown-topics").exit())
                .isEqualTo(1);
        assertThat(ids()).contains(future.segmentId()).doesNotContain(noLog.segmentId(), cut.segmentId());
        List<SegmentRecord> unknown = new ArrayList<>();
        shell.store().read(new PartitionKey(Shell.CLUSTER, gone, 7), new Selection.ChangedSince(0), unknown::add);
        assertThat(unknown).hasSize(1);
    }

    @Test
    void withoutBrokersOnlyTopicsThatTheCatalogueHasAreBroughtIn() {
        SegmentRecord segment = store(segment(0, 99));
        Result unasked = rebuild("--cluster", Shell.CLUSTER);
        assertThat(unasked.err()).contains("1 x unknownTopic", "--bootstrap-server");
        assertThat(rows()).isEmpty();
        Result included = rebuild("--cluster", Shell.CLUSTER, "--include-unknown-topics");
        assertThat(included.err()).contains("brought in 1 of 1");
        SegmentRecord more = store(segment(100, 199));
        rebuild("--cluster", Shell.CLUSTER);
        assertThat(ids()).containsExactly(segment.segmentId(), more.segmentId());
    }

    @Test
    void aTopicOfAnotherClusterInTheCatalogueStaysThere() {
        store(segment(0, 99));
        rebuild("--cluster", "another-cluster", "--include-unknown-topics");
        Result result = rebuild("--cluster", Shell.CLUSTER, "--include-unknown-topics");
        assertThat(result.err()).contains("1 x otherCluster");
        assertThat(rows()).isEmpty();
    }

    @Test
    void whatEndsBelowTheLogStartIsLeftOut() {
        SegmentRecord below = store(segment(0, 99));
        SegmentRecord across = store(segment(100, 199));
        shell.logStart(TOPIC, 7, 150);
        Result result = withBrokers();
        assertThat(result.exit()).isZero();
        assertThat(result.err()).contains("1 x belowLogStart");
        assertThat(ids()).containsExactly(across.segmentId());
        withBrokers("--include-below-log-start");
        assertThat(ids()).contains(below.segmentId());
    }

    private void restoring() {
        shell.cluster(new ClusterRecord(Shell.CLUSTER, ClusterState.RESTORING, 1, Shell.NOW, "bob", ""));
    }

    private void put(SegmentRecord segment) {
        CatalogueStore store = shell.store();
        PartitionHead head = store.read(key(), new Selection.HeadOnly(), unused -> {});
        store.commit(
                key(),
                new PartitionCommit(
                        head.version(),
                        new PartitionHead(
                                head.version() + 1,
                                TOPIC,
                                head.liveSegments() + 1,
                                99,
                                PartitionDeletion.NONE,
                                new TreeMap<>()),
                        List.of(segment),
                        List.of()));
    }

    private static SegmentRecord in(SegmentState state, SegmentRecord of, long endOffset) {
        return SegmentRecord.builder(of.segmentId(), of.startOffset(), endOffset, of.leaderEpochs())
                .state(state)
                .maxTimestampMs(of.maxTimestampMs())
                .sizeInBytes(of.sizeInBytes())
                .txnIndexEmpty(of.txnIndexEmpty())
                .customMetadata(of.customMetadata())
                .brokerId(of.brokerId())
                .eventTimestampMs(of.eventTimestampMs())
                .version(1)
                .finishedVersion(state == SegmentState.COPY_SEGMENT_STARTED ? 0 : 1)
                .build();
    }

    @Test
    void aRowIsNeverOverwrittenAndAnUploadThatNobodyReplacedIsFinished() {
        restoring();
        SegmentRecord contradicting = store(segment(0, 99));
        put(in(SegmentState.COPY_SEGMENT_FINISHED, contradicting, 98));
        SegmentRecord deleting = store(segment(100, 199));
        put(in(SegmentState.DELETE_SEGMENT_STARTED, deleting, 199));
        SegmentRecord begun = store(segment(200, 299));
        put(in(SegmentState.COPY_SEGMENT_STARTED, begun, 299));
        SegmentRecord replaced = store(segment(300, 399));
        put(in(SegmentState.COPY_SEGMENT_STARTED, replaced, 399));
        SegmentRecord replacing = store(segment(300, 399));

        Result result = withBrokers();
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err())
                .contains("1 x contradicts", "2 x keep", "1 x finish", "1 x add")
                .contains("end offset 98 in the catalogue, 99 in the storage");
        assertThat(row(contradicting).endOffset()).isEqualTo(98);
        assertThat(row(deleting).state()).isEqualTo(SegmentState.DELETE_SEGMENT_STARTED);
        assertThat(row(begun).state()).isEqualTo(SegmentState.COPY_SEGMENT_FINISHED);
        assertThat(row(replaced).state()).isEqualTo(SegmentState.COPY_SEGMENT_STARTED);
        assertThat(row(replacing).state()).isEqualTo(SegmentState.COPY_SEGMENT_FINISHED);
    }

    @Test
    void overlapsAreOrderedByTheTimesOfTheirObjects() {
        SegmentRecord later = store(topicId, segment(0, 99), MONTH_AGO.plusSeconds(10));
        SegmentRecord earlier = store(topicId, segment(50, 149), MONTH_AGO);
        Result result = withBrokers();
        assertThat(ids()).containsExactly(earlier.segmentId(), later.segmentId());
        assertThat(result.err()).contains("2 segments overlap others", "overlaps " + id(earlier));
    }

    @Test
    void aClusterThatIsNotRestoringIsRefused() {
        shell.registered();
        store(segment(0, 99));
        Result result = withBrokers();
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("is ready", "restoring --note");
        assertThat(rows()).isEmpty();
        assertThat(withBrokers("--dry-run").exit()).isEqualTo(1);
    }

    @Test
    void noRightToListIsOneLine() {
        store(segment(0, 99));
        s3.denying = true;
        Result result = withBrokers();
        assertThat(result.exit()).isEqualTo(6);
        assertThat(result.err()).contains("can't list in bucket bucket", "s3:ListBucket");
        assertThat(rows()).isEmpty();
    }

    @Test
    void aListingWithLocalCopiesOfTheManifestsWillDo() throws IOException {
        SegmentRecord segment = store(segment(0, 99));
        Path copies = Files.createDirectories(directory.resolve("copies"));
        List<String> lines = new ArrayList<>(List.of("key,size,lastModified"));
        for (Map.Entry<String, SmallS3.Entry> object : s3.objects.entrySet()) {
            lines.add(object.getKey() + "," + object.getValue().size() + "," + MONTH_AGO);
            if (object.getKey().endsWith("manifest")) {
                Path copy = copies.resolve(object.getKey());
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, object.getValue().content());
            }
        }
        SegmentRecord copyless = segment(100, 199);
        for (String file : List.of("log", "indexes", "rsm-manifest")) {
            lines.add(PREFIX + AivenObjects.key(TOPIC, topicId, 7, copyless, file) + ",10," + MONTH_AGO);
        }
        Path listing = Files.write(directory.resolve("listing.csv"), lines);
        Result result = shell.runConfigured(
                "rebuild",
                "--bootstrap-server",
                "broker:9092",
                "--layout",
                "aiven",
                "--listing",
                listing.toString(),
                "--objects",
                copies.toString());
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("an object that was listed is not there");
        assertThat(ids()).containsExactly(segment.segmentId());
    }

    @Test
    void whatIsNotSaidIsAskedFor() {
        assertThat(shell.runConfigured("rebuild", "--bucket", "b").err())
                .contains("aiven, directory, local-tiered-storage");
        assertThat(shell.runConfigured("rebuild", "--layout", "mine", "--bucket", "b")
                        .err())
                .contains("no layout 'mine'");
        assertThat(shell.runConfigured("rebuild", "--layout", "aiven").err()).contains("where are the segments?");
        assertThat(rebuild().err()).contains("which cluster?");
        assertThat(rebuild("--aiven-custom-metadata", "SIZE").err()).contains("REMOTE_SIZE, OBJECT_PREFIX, OBJECT_KEY");
        assertThat(withBrokers("--cluster", "another").err()).contains("not another");
        assertThat(rebuild("--requests", "0").exit()).isEqualTo(2);
    }
}
