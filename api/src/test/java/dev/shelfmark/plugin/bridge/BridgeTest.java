package dev.shelfmark.plugin.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.plugin.bridge.SwitchableProvider.Server;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One broker in bridge mode while its cluster's record moves: what it answers, what it writes where, and what it acknowledges. */
@Timeout(60)
final class BridgeTest {

    private static final Duration SOON = Duration.ofSeconds(15);

    private final String cluster = Uuid.randomUuid().toString();
    private final Server server = SwitchableProvider.server(cluster);
    private final TopicBasedRemoteLogMetadataManager.Topic topic = TopicBasedRemoteLogMetadataManager.of(cluster);
    private final TopicIdPartition partition = new TopicIdPartition(Uuid.randomUuid(), 0, "orders");
    private final CatalogueRemoteLogMetadataManager broker = new CatalogueRemoteLogMetadataManager();
    private ServerSocket listener;
    private long revision;

    @BeforeEach
    void listen() throws IOException {
        listener = new ServerSocket(0);
    }

    @AfterEach
    void close() throws IOException {
        topic.sleep.countDown();
        topic.acknowledgement.countDown();
        server.sleep.countDown();
        broker.close();
        listener.close();
    }

    private Map<String, Object> settings(String... more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "store", "switchable",
                "switchable.server", cluster,
                "cluster.id", cluster,
                "broker.id", 1,
                "log.dir", "/nowhere",
                "cluster.state.poll.ms", "100",
                "migration.mode", "bridge",
                "migration.lease.ms", "2000",
                "remote.log.metadata.topic.num.partitions", "3"));
        settings.put("remote.log.metadata.common.client.bootstrap.servers", "localhost:" + listener.getLocalPort());
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    private void start(ClusterState state, String... more) {
        move(state);
        broker.configure(settings(more));
        broker.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        awaitAcknowledged();
    }

    private void move(ClusterState state) {
        assertThat(server.database.putCluster(new ClusterRecord(cluster, state, ++revision, Instant.EPOCH, "test", "")))
                .isTrue();
    }

    private Optional<BrokerHeartbeat> beat() {
        return server.database.heartbeats(cluster).stream().findFirst();
    }

    private void awaitAcknowledged() {
        soon(() -> assertThat(beat().map(BrokerHeartbeat::acknowledgedRevision)).contains(revision));
    }

    private void moveAndAwait(ClusterState state) {
        move(state);
        awaitAcknowledged();
    }

    private static void soon(org.awaitility.core.ThrowingRunnable assertion) {
        Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(5)).untilAsserted(assertion);
    }

    private RemoteLogSegmentMetadata started(long start) {
        return new RemoteLogSegmentMetadata(
                new RemoteLogSegmentId(partition, Uuid.randomUuid()),
                start,
                start + 9,
                1,
                1,
                1,
                1_024,
                Optional.empty(),
                RemoteLogSegmentState.COPY_SEGMENT_STARTED,
                Map.of(0, start),
                false);
    }

    private static RemoteLogSegmentMetadataUpdate finished(RemoteLogSegmentMetadata segment) {
        return new RemoteLogSegmentMetadataUpdate(
                segment.remoteLogSegmentId(), 2, Optional.empty(), RemoteLogSegmentState.COPY_SEGMENT_FINISHED, 1);
    }

    private static void done(CompletableFuture<Void> future) throws Exception {
        future.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private Optional<RemoteLogSegmentState> inTopic(RemoteLogSegmentMetadata segment) {
        return Optional.ofNullable(
                        topic.segments.get(segment.remoteLogSegmentId().id()))
                .map(RemoteLogSegmentMetadata::state);
    }

    private Optional<SegmentState> inCatalogue(RemoteLogSegmentMetadata segment) {
        List<SegmentRecord> found = new ArrayList<>();
        try (InMemoryCatalogueStore store =
                new InMemoryCatalogueStore(server.database, Retention.NONE, StoreListener.NONE)) {
            store.read(
                    KafkaMapping.key(cluster, partition),
                    new Selection.ById(Set.of(
                            KafkaMapping.uuid(segment.remoteLogSegmentId().id()))),
                    found::add);
        }
        return found.stream().map(SegmentRecord::state).findFirst();
    }

    /** Brings a segment into the catalogue, as an import or another broker does. */
    private void intoTheCatalogue(RemoteLogSegmentMetadata segment) {
        try (InMemoryCatalogueStore store =
                new InMemoryCatalogueStore(server.database, Retention.NONE, StoreListener.NONE)) {
            new SegmentCatalogue(store, CatalogueSettings.defaults(), CatalogueListener.NONE, Runnable::run)
                    .write(
                            KafkaMapping.key(cluster, partition),
                            partition.topic(),
                            List.of(KafkaMapping.event(segment)),
                            Deadline.in(SOON));
        }
    }

    private List<Uuid> listed() throws Exception {
        List<Uuid> ids = new ArrayList<>();
        broker.listRemoteLogSegments(partition)
                .forEachRemaining(
                        segment -> ids.add(segment.remoteLogSegmentId().id()));
        return ids;
    }

    @Test
    void readsAndWritesFollowTheState() throws Exception {
        start(ClusterState.IMPORTING);
        RemoteLogSegmentMetadata first = started(0);
        done(broker.addRemoteLogSegmentMetadata(first));
        assertThat(inTopic(first)).contains(RemoteLogSegmentState.COPY_SEGMENT_STARTED);
        assertThat(inCatalogue(first)).isEmpty();
        assertThat(broker.isReady(partition)).isTrue();
        intoTheCatalogue(first);

        moveAndAwait(ClusterState.DRAINING_TO_READY);
        CompletableFuture<Void> waiting = broker.updateRemoteLogSegmentMetadata(finished(first));
        assertThat(listed()).containsExactly(first.remoteLogSegmentId().id());
        assertThat(broker.isReady(partition)).isTrue();
        assertThat(waiting).isNotDone();

        moveAndAwait(ClusterState.READY);
        done(waiting);
        assertThat(inTopic(first)).contains(RemoteLogSegmentState.COPY_SEGMENT_STARTED);
        assertThat(inCatalogue(first)).contains(SegmentState.COPY_SEGMENT_FINISHED);
        assertThat(broker.remoteLogSegmentMetadata(partition, 0, 5)).isPresent();
        soon(() -> assertThat(topic.managers)
                .hasSize(1)
                .allSatisfy(manager -> assertThat(manager.closed).isTrue()));
    }

    @Test
    void aWriteThatSleptThroughTheSwitchIsCarriedOver() throws Exception {
        start(ClusterState.IMPORTING);
        RemoteLogSegmentMetadata segment = started(0);
        done(broker.addRemoteLogSegmentMetadata(segment));
        intoTheCatalogue(segment);
        topic.sleep = new CountDownLatch(1);
        int before = topic.asleep.get();
        CompletableFuture<Void> late = broker.updateRemoteLogSegmentMetadata(finished(segment));
        soon(() -> assertThat(topic.asleep.get()).isGreaterThan(before));

        // Nobody waited for this broker: it looked dead, and its lease was over.
        move(ClusterState.DRAINING_TO_READY);
        move(ClusterState.READY);
        soon(() -> assertThat(topic.managers)
                .allSatisfy(manager -> assertThat(manager.closed).isTrue()));
        assertThat(late).isNotDone();
        topic.sleep.countDown();

        done(late);
        assertThat(inTopic(segment)).contains(RemoteLogSegmentState.COPY_SEGMENT_FINISHED);
        assertThat(inCatalogue(segment)).contains(SegmentState.COPY_SEGMENT_FINISHED);
        awaitAcknowledged();
    }

    @Test
    void aWriteToTheCatalogueThatSleptThroughTheWayBackIsCarriedOver() throws Exception {
        start(ClusterState.READY);
        server.sleep = new CountDownLatch(1);
        RemoteLogSegmentMetadata segment = started(0);
        CompletableFuture<Void> late = broker.addRemoteLogSegmentMetadata(segment);
        soon(() -> assertThat(server.asleep).isTrue());
        move(ClusterState.DRAINING_TO_BRIDGED);
        move(ClusterState.BRIDGED);
        soon(() -> assertThat(topic.managers).isNotEmpty());
        assertThat(late).isNotDone();
        server.sleep.countDown();

        done(late);
        assertThat(inCatalogue(segment)).contains(SegmentState.COPY_SEGMENT_STARTED);
        assertThat(inTopic(segment)).contains(RemoteLogSegmentState.COPY_SEGMENT_STARTED);
    }

    @Test
    void acknowledgesOnlyWhenNothingOfBeforeIsUnderWay() throws Exception {
        start(ClusterState.IMPORTING);
        topic.acknowledgement = new CountDownLatch(1);
        RemoteLogSegmentMetadata segment = started(0);
        CompletableFuture<Void> write = broker.addRemoteLogSegmentMetadata(segment);
        soon(() -> assertThat(inTopic(segment)).isPresent());
        move(ClusterState.DRAINING_TO_READY);
        soon(() -> assertThat(beat().map(BrokerHeartbeat::waitingFor)).contains("1 writes that are under way"));
        assertThat(beat().map(BrokerHeartbeat::acknowledgedRevision)).contains(revision - 1);
        topic.acknowledgement.countDown();
        awaitAcknowledged();
        // It is in the topic, which is still the truth; but only the switch tells whether that is where it stays.
        assertThat(write).isNotDone();
        moveAndAwait(ClusterState.IMPORTING);
        done(write);
        assertThat(inCatalogue(segment)).isEmpty();
    }

    @Test
    void whileDrainingEachReadLooksAtTheSwitchFirst() throws Exception {
        start(ClusterState.IMPORTING, "cluster.state.poll.ms", "60000");
        move(ClusterState.DRAINING_TO_READY);
        soon(() -> assertThat(beat().map(BrokerHeartbeat::acknowledgedRevision)).contains(revision));
        RemoteLogSegmentMetadata byAnother = started(0);
        for (int round = 0; round < 20; round++) {
            assertThat(listed()).isEmpty();
        }
        intoTheCatalogue(byAnother);
        move(ClusterState.READY);
        assertThat(listed()).containsExactly(byAnother.remoteLogSegmentId().id());
    }

    @Test
    void writesFailPastTheirBoundAndSayWhatToDo() {
        start(ClusterState.IMPORTING, "migration.write.wait.ms", "1000");
        moveAndAwait(ClusterState.DRAINING_TO_READY);
        CompletableFuture<Void> write = broker.addRemoteLogSegmentMetadata(started(0));
        assertThatThrownBy(() -> done(write))
                .hasMessageContaining("DRAINING_TO_READY")
                .hasMessageContaining("shelfmark state");
    }

    @Test
    void nothingIsAnsweredOrWrittenPastTheLease() throws Exception {
        start(ClusterState.IMPORTING);
        RemoteLogSegmentMetadata segment = started(0);
        done(broker.addRemoteLogSegmentMetadata(segment));
        server.down = true;
        soon(() -> assertThat(broker.isReady(partition)).isFalse());
        assertThatThrownBy(this::listed).isInstanceOf(ReplicaNotAvailableException.class);
        CompletableFuture<Void> write = broker.updateRemoteLogSegmentMetadata(finished(segment));
        assertThatThrownBy(this::listed).isInstanceOf(ReplicaNotAvailableException.class);
        assertThat(write).isNotDone();
        assertThat(inTopic(segment)).contains(RemoteLogSegmentState.COPY_SEGMENT_STARTED);
        server.down = false;
        done(write);
        assertThat(inTopic(segment)).contains(RemoteLogSegmentState.COPY_SEGMENT_FINISHED);
        assertThat(listed()).hasSize(1);
    }

    /** Replication waits for these reads: a fetcher asks for one partition after the other. */
    @Test
    void aSilentStoreIsWaitedForOnceAndNotForEachRead() {
        start(ClusterState.IMPORTING);
        CountDownLatch silence = new CountDownLatch(1);
        server.beforeLook = () -> {
            try {
                silence.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        soon(() -> assertThat(broker.isReady(partition)).isFalse());
        // One that began before, and the one that is waited for in vain.
        for (int i = 0; i < 1_000; i++) {
            assertThatThrownBy(this::listed).isInstanceOf(ReplicaNotAvailableException.class);
        }
        silence.countDown();
        soon(() -> assertThat(broker.isReady(partition)).isTrue());
    }

    @Test
    void aTopicsDeletionFailsSoonOnTheMetadataThread() throws Exception {
        start(ClusterState.IMPORTING);
        RemoteLogSegmentMetadata segment = started(0);
        done(broker.addRemoteLogSegmentMetadata(segment));
        server.down = true;
        soon(() -> assertThat(broker.isReady(partition)).isFalse());
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        CompletableFuture<Boolean> next = new CompletableFuture<>();
        Thread metadata = new Thread(
                () -> {
                    CompletableFuture<Void> deletion = update(finished(segment));
                    first.complete(catchThrowable(() -> deletion.get(30, TimeUnit.SECONDS)) != null);
                    next.complete(update(finished(segment)).isCompletedExceptionally());
                },
                "kafka-1-metadata-loader-event-handler");
        metadata.setDaemon(true);
        metadata.start();
        assertThat(first.get(45, TimeUnit.SECONDS)).isTrue();
        assertThat(next.get(45, TimeUnit.SECONDS)).as("failed at once").isTrue();
        server.down = false;
    }

    private CompletableFuture<Void> update(RemoteLogSegmentMetadataUpdate update) {
        return broker.updateRemoteLogSegmentMetadata(update);
    }

    @Test
    void backOnTheTopicANewManagerReadsItAll() throws Exception {
        start(ClusterState.READY);
        assertThat(topic.managers).isEmpty();
        RemoteLogSegmentMetadata segment = started(0);
        done(broker.addRemoteLogSegmentMetadata(segment));
        assertThat(inTopic(segment)).isEmpty();
        moveAndAwait(ClusterState.DRAINING_TO_BRIDGED);
        CompletableFuture<Void> waiting = broker.updateRemoteLogSegmentMetadata(finished(segment));
        assertThat(listed()).hasSize(1);
        topic.segments.put(segment.remoteLogSegmentId().id(), segment);
        moveAndAwait(ClusterState.BRIDGED);
        done(waiting);
        assertThat(inTopic(segment)).contains(RemoteLogSegmentState.COPY_SEGMENT_FINISHED);
        assertThat(inCatalogue(segment)).contains(SegmentState.COPY_SEGMENT_STARTED);
        assertThat(topic.managers).hasSize(1);
        assertThat(topic.managers.get(0).assigned).containsExactly(partition);
        broker.onStopPartitions(Set.of(partition));
        assertThat(topic.managers.get(0).assigned).isEmpty();
    }

    /** Such as one that was stopped for minutes: what was exported meanwhile may be ahead of what its manager has read. */
    @ParameterizedTest
    @EnumSource(names = {"IMPORTING", "DRAINING_TO_READY", "BRIDGED"})
    void aManagerFromBeforeASwitchThatWasNotSeenIsNotAsked(ClusterState after) {
        start(ClusterState.IMPORTING);
        server.down = true;
        move(ClusterState.DRAINING_TO_READY);
        move(ClusterState.READY);
        move(ClusterState.DRAINING_TO_BRIDGED);
        move(ClusterState.BRIDGED);
        if (after != ClusterState.BRIDGED) {
            move(ClusterState.IMPORTING);
        }
        if (after == ClusterState.DRAINING_TO_READY) {
            move(ClusterState.DRAINING_TO_READY);
        }
        server.down = false;

        onlyTheLastIsOpen(2);
    }

    @Test
    void aManagerStaysWhenASwitchWasGivenUp() {
        start(ClusterState.IMPORTING);
        moveAndAwait(ClusterState.DRAINING_TO_READY);
        moveAndAwait(ClusterState.IMPORTING);

        onlyTheLastIsOpen(1);
    }

    @Test
    void whileABackupIsRestoredNothingIsAnswered() {
        start(ClusterState.IMPORTING);
        moveAndAwait(ClusterState.RESTORING);
        assertThat(broker.isReady(partition)).isFalse();
        assertThatThrownBy(this::listed)
                .isInstanceOf(ReplicaNotAvailableException.class)
                .hasMessageContaining("restored");
    }

    @Test
    void anUnknownClusterIsNotAnswered() {
        broker.configure(settings());
        soon(() -> assertThatThrownBy(this::listed)
                .isInstanceOf(ReplicaNotAvailableException.class)
                .hasMessageContaining("shelfmark import"));
        assertThat(beat().map(BrokerHeartbeat::acknowledgedRevision).orElse(0L)).isZero();
    }

    @Test
    void theManagerOfTheTopicIsMadeWhenTheListenerIsUp() throws Exception {
        int port = listener.getLocalPort();
        listener.close();
        move(ClusterState.IMPORTING);
        broker.configure(settings("remote.log.metadata.common.client.bootstrap.servers", "localhost:" + port));
        broker.onPartitionLeadershipChanges(Set.of(), Set.of(partition));
        soon(() -> assertThat(beat().map(BrokerHeartbeat::waitingFor))
                .contains("Kafka's own metadata manager to be started"));
        assertThat(topic.managers).isEmpty();
        listener = new ServerSocket(port);
        awaitAcknowledged();
        assertThat(topic.managers.get(0).assigned).containsExactly(partition);
    }

    @Test
    void theManagerOfTheTopicIsTriedAgainAfterAnError() {
        AtomicInteger tries = new AtomicInteger();
        topic.beforeConfigure = () -> {
            if (tries.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("once");
            }
        };

        start(ClusterState.IMPORTING);

        soon(() -> assertThat(broker.isReady(partition)).isTrue());
    }

    @Test
    void theManagerOfTheTopicIsTriedAgainAfterAFailureThatCanNotBeTold() {
        AtomicInteger tries = new AtomicInteger();
        topic.beforeConfigure = () -> {
            if (tries.incrementAndGet() == 1) {
                throw new BackgroundWorkTest.Untold();
            }
        };

        start(ClusterState.IMPORTING);

        soon(() -> assertThat(broker.isReady(partition)).isTrue());
    }

    /** Whatever a driver throws: what was seen of the cluster is seen. */
    @Test
    void aHeartbeatThatFailsUnexpectedlyTakesNoAnswersAway() {
        server.beforeHeartbeat = () -> {
            throw new IllegalStateException("not a failure that the store knows");
        };
        move(ClusterState.READY);
        broker.configure(settings());

        soon(() -> assertThat(broker.isReady(partition)).isTrue());
        Awaitility.await().during(Duration.ofSeconds(1)).atMost(SOON).until(() -> broker.isReady(partition));
    }

    /** Kafka tells of a partition once: a manager that did not take it in would never be ready for it. */
    @Test
    void aManagerThatCouldNotBeToldOfAPartitionIsMadeAnew() {
        start(ClusterState.IMPORTING);
        topic.beforeLeadership = failingOnce();
        TopicIdPartition another = new TopicIdPartition(Uuid.randomUuid(), 1, "orders");

        broker.onPartitionLeadershipChanges(Set.of(another), Set.of());

        soon(() -> assertThat(broker.isReady(another)).isTrue());
        onlyTheLastIsOpen(2);
    }

    @Test
    void aFailureThatCanNotBeToldIsNoneOfWhoTellsOfPartitions() {
        start(ClusterState.IMPORTING);
        topic.beforeLeadership = () -> {
            topic.beforeLeadership = () -> {};
            throw new BackgroundWorkTest.Untold();
        };

        Throwable told = catchThrowable(() -> broker.onPartitionLeadershipChanges(Set.of(partition), Set.of()));

        // Not told of by its message, which it has not.
        assertThat(told == null).isTrue();
        onlyTheLastIsOpen(2);
    }

    @Test
    void onlyKafkasOwnKeysPass() {
        assertThatThrownBy(() -> new CatalogueRemoteLogMetadataManager()
                        .configure(settings("remote.log.metadata.topic.num.partition", "3")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("remote.log.metadata.topic.num.partitions");
        assertThatThrownBy(() -> new CatalogueRemoteLogMetadataManager()
                        .configure(settings("remote.log.metadata.topic.num.partitions", "0")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("0 partitions");
        assertThatThrownBy(() -> new CatalogueRemoteLogMetadataManager()
                        .configure(settings("remote.log.metadata.common.client.bootstrap.servers", "")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("remote.log.metadata.manager.listener.name");
    }

    private static Runnable failingOnce() {
        AtomicInteger times = new AtomicInteger();
        return () -> {
            if (times.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("once");
            }
        };
    }

    /** Each has a consumer, a producer and their threads. */
    private void onlyTheLastIsOpen(int made) {
        soon(() -> {
            assertThat(topic.managers).hasSize(made);
            assertThat(topic.managers.subList(0, made - 1))
                    .allSatisfy(manager -> assertThat(manager.closed).isTrue());
            assertThat(topic.managers.get(made - 1).closed).isFalse();
        });
        assertThat(broker.isReady(partition)).isTrue();
    }

    @Test
    void aManagerThatFailsWhenItIsConfiguredIsClosed() {
        topic.beforeConfigure = failingOnce();
        start(ClusterState.IMPORTING);
        onlyTheLastIsOpen(2);
    }

    @Test
    void aManagerThatFailsWhenItIsToldItsPartitionsIsClosed() {
        topic.beforeLeadership = failingOnce();
        start(ClusterState.IMPORTING);
        onlyTheLastIsOpen(2);
    }

    @Test
    void aManagerThatFailsWhenItIsToldThatTheBrokerIsReadyIsClosed() {
        topic.beforeReady = failingOnce();
        start(ClusterState.IMPORTING);
        onlyTheLastIsOpen(2);
    }

    /** Such as a method that another version's manager does not have. */
    @Test
    void anErrorOfTheTopicsManagerFailsItsReportAndHoldsUpNothing() throws Exception {
        start(ClusterState.IMPORTING);
        soon(() -> assertThat(broker.isReady(partition)).isTrue());
        topic.beforeWrite = failingOnce();

        assertThatThrownBy(() -> done(broker.addRemoteLogSegmentMetadata(started(0))))
                .hasMessageContaining("once");
        done(broker.addRemoteLogSegmentMetadata(started(10)));
        moveAndAwait(ClusterState.DRAINING_TO_READY);
    }

    /** From the one who asks for it a new thread takes its class loader. */
    private static final class WhoCanMakeNoThread extends Thread {
        WhoCanMakeNoThread(Runnable task) {
            super(task);
        }

        @Override
        public ClassLoader getContextClassLoader() {
            throw new OutOfMemoryError("unable to create native thread");
        }
    }

    /** An error would end the task of Kafka's that reports, for good. */
    @Test
    void aReportForWhichNoThreadCanBeMadeFailsAndIsNotThrown() throws Exception {
        start(ClusterState.IMPORTING);
        List<CompletableFuture<Void>> futures = new CopyOnWriteArrayList<>();
        Thread reporter = new WhoCanMakeNoThread(() -> futures.add(broker.addRemoteLogSegmentMetadata(started(0))));
        reporter.setUncaughtExceptionHandler((thread, thrown) -> {});
        reporter.start();
        reporter.join(SOON.toMillis());

        assertThat(futures).hasSize(1);
        assertThatThrownBy(() -> done(futures.get(0))).hasMessageContaining("unable to create native thread");
        done(broker.addRemoteLogSegmentMetadata(started(10)));
    }

    /** Such as a moment without memory. */
    @Test
    void anErrorAtTheDeadlineOfAReportDoesNotKeepItForEver() {
        start(ClusterState.DRAINING_TO_READY, "migration.write.wait.ms", "1000");
        RemoteLogSegmentMetadata segment = started(0);
        Runnable once = failingOnce();
        RemoteLogSegmentMetadata named =
                new RemoteLogSegmentMetadata(segment.remoteLogSegmentId(), 0, 9, 1, 1, 1, 1_024, Map.of(0, 0L)) {
                    @Override
                    public RemoteLogSegmentId remoteLogSegmentId() {
                        if (Thread.currentThread().getName().contains("deadlines")) {
                            once.run();
                        }
                        return super.remoteLogSegmentId();
                    }
                };

        assertThatThrownBy(() -> done(broker.addRemoteLogSegmentMetadata(named)))
                .hasMessageContaining("not written within 1000 ms");
    }

    @Test
    void whoWaitsForALookIsToldThatTheBrokerStops() throws Exception {
        start(ClusterState.DRAINING_TO_READY);
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        server.beforeLook = () -> {
            looking.countDown();
            try {
                assertThat(never.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        assertThat(looking.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        List<Throwable> told = new CopyOnWriteArrayList<>();
        Thread reader = new Thread(() -> told.add(catchThrowable(() -> broker.listRemoteLogSegments(partition))));
        reader.start();
        soon(() -> assertThat(reader.getState()).isEqualTo(Thread.State.TIMED_WAITING));

        broker.close();
        reader.join(TimeUnit.SECONDS.toMillis(5));

        assertThat(told).singleElement().isInstanceOf(ReplicaNotAvailableException.class);
    }
}
