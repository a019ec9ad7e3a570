package dev.shelfmark.tool.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.BrokerHeartbeat.Mode;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.tool.BridgedBrokers;
import dev.shelfmark.tool.Shell;
import dev.shelfmark.tool.Shell.Result;
import dev.shelfmark.tool.Tampering;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.TopicInfo;
import dev.shelfmark.tool.migrate.importing.RandomHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The switch as it is thrown from outside, with brokers that only acknowledge. */
@Timeout(60)
class CutoverCommandTest {

    private final Shell shell;
    private final Path directory;
    private final RandomHistory history;
    private BridgedBrokers brokers;
    private String deadline = "20";

    CutoverCommandTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        shell = new Shell(directory);
        shell.provider.schemaVersion = 2;
        history = new RandomHistory(11, shell.brokers, 2, 2).withoutRepeatedAdds();
        history.write(200);
        serving(1, 2, 3);
        brokers = new BridgedBrokers(shell.provider.database, 1, 2, 3);
        assertThat(run(
                                "import",
                                "--skipped-events",
                                directory.resolve("skipped").toString())
                        .exit())
                .isZero();
        brokers.awaitAll(Shell.CLUSTER);
    }

    @AfterEach
    void close() {
        brokers.close();
    }

    private void serving(Integer... ids) {
        shell.brokers.registered = new TreeMap<>();
        for (Integer id : ids) {
            shell.brokers.registered.put(id, true);
        }
    }

    private Result run(String... arguments) {
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--bootstrap-server";
        all[arguments.length + 1] = "broker:9092";
        return shell.runConfigured(all);
    }

    private Result ready(String... more) {
        String[] all = new String[more.length + 5];
        all[0] = "cutover";
        all[1] = "--skipped-events";
        all[2] = directory.resolve("skipped").toString();
        all[3] = "--deadline";
        all[4] = deadline;
        System.arraycopy(more, 0, all, 5, more.length);
        return run(all);
    }

    private ClusterRecord now() {
        return shell.provider.database.clusters().get(0);
    }

    private void assertUntouched() {
        assertThat(now().state()).isEqualTo(ClusterState.IMPORTING);
        assertThat(now().revision()).isEqualTo(1);
    }

    @Test
    void bringsInWhatCameSinceAndBecomesReady() {
        history.write(50);

        Result result = ready();

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.err())
                .contains("the import is up to date", "every broker is on the bridge", "nobody writes")
                .contains("verified to the end", "ready (revision 3)", "every broker acts on it");
        assertThat(now().state()).isEqualTo(ClusterState.READY);
        assertThat(run("verify").exit()).isZero();
        assertThat(ready().err()).contains("is ready since");
        assertThat(now().revision()).isEqualTo(3);
    }

    @Test
    void aBrokerThatNeverAcknowledgesIsNamedAndAllIsAsBefore() {
        brokers.deaf.add(2);
        deadline = "2";

        Result result = ready();

        assertThat(result.exit()).isEqualTo(1);
        String error = result.err().substring(result.err().indexOf("shelfmark: error:"));
        assertThat(error)
                .contains("given up, and all is importing as before", "broker 2 has not acknowledged DRAINING_TO_READY")
                .contains("waits for 2 writes that are under way")
                .doesNotContain("broker 1", "broker 3");
        assertThat(now().state()).isEqualTo(ClusterState.IMPORTING);
        assertThat(now().note()).contains("given up");
        brokers.deaf.clear();
        assertThat(ready().exit()).isZero();
    }

    @Test
    void nothingIsChangedUntilEveryBrokerIsOnTheBridge() {
        brokers.modes.put(2, Mode.CATALOGUE);
        brokers.modes.remove(3);
        shell.brokers.registered.put(4, true);
        shell.brokers.registered.put(5, false);

        Result result = ready();

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err())
                .contains("broker 2 runs the plugin without rlmm.config.migration.mode=bridge")
                .contains("broker 3 was on the bridge, but its heartbeat stands still")
                .contains("broker 4 has never written a heartbeat")
                .contains("broker 5 is registered but down", "--absent 5");
        assertUntouched();
        brokers.modes.put(2, Mode.BRIDGE);
        serving(1, 2);
        shell.brokers.registered.put(5, false);
        assertThat(ready("--absent", "5").exit()).isZero();
    }

    @Test
    void anAcknowledgementThatABrokerLeftBehindDoesNotCount() {
        move(ClusterState.DRAINING_TO_READY);
        brokers.awaitAll(Shell.CLUSTER);
        brokers.modes.remove(2);
        deadline = "3";

        Result result = ready();

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("broker 2 has acknowledged", "started again without the bridge");
        assertThat(now().state()).isEqualTo(ClusterState.IMPORTING);
    }

    @Test
    void aBrokerThatIsGoneIsWaitedForUntilItsLeaseIsOver() {
        brokers.deaf.add(3);
        shell.brokers.registered.put(3, false);

        Result result = ready();

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.err()).contains("broker 3 is gone; its lease may last");
    }

    @Test
    void aCatalogueThatSomebodyElseWroteToIsRefused() {
        Tampering.withSegment(
                shell.provider.database, Shell.CLUSTER, history.partitions().get(0));

        Result result = ready();

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("the catalogue differs from Kafka's cache", "shelfmark verify");
        assertThat(result.err()).contains("given up, and all is importing as before");
        assertThat(now().state()).isEqualTo(ClusterState.IMPORTING);
    }

    @Test
    void aPartitionThatOnlyTheCatalogueHasIsRefusedBeforeAnythingWaits() {
        Tampering.withSegment(
                shell.provider.database,
                Shell.CLUSTER,
                new TopicIdPartition(Uuid.randomUuid(), new TopicPartition("stranger", 4)));

        Result result = ready();

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("PARTITION of stranger-4", "1 segments");
        assertUntouched();
    }

    @Test
    void aRunThatWasKilledIsFinishedByTheNext() {
        move(ClusterState.DRAINING_TO_READY);
        history.write(20);
        Result state = shell.runConfigured("state");
        assertThat(state.out()).contains("draining_to_ready");
        assertThat(state.err()).contains("run it again", "state set " + Shell.CLUSTER + " importing");

        Result result = ready();

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.err()).contains("going on from there", "ready (revision 3)");
        assertThat(run("verify").exit()).isZero();
    }

    @Test
    void aRunThatWasKilledIsGivenUpByHand() {
        move(ClusterState.DRAINING_TO_READY);
        Result given = shell.runConfigured("state", "set", Shell.CLUSTER, "importing", "--note", "later");
        assertThat(given.exit()).as(given.err()).isZero();
        assertThat(now().state()).isEqualTo(ClusterState.IMPORTING);
    }

    @Test
    void stoppedItGoesBack() {
        brokers.deaf.add(1);
        Thread stopper = new Thread(() -> {
            while (now().state() != ClusterState.DRAINING_TO_READY) {
                Thread.onSpinWait();
            }
            shell.stopped = true;
        });
        stopper.start();

        Result result = ready();

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("stopped while waiting", "as before");
        assertThat(now().state()).isEqualTo(ClusterState.IMPORTING);
    }

    @Test
    void offlineOnlyWhenNothingIsCopied() {
        assertThat(ready("--force").exit()).isEqualTo(2);
        Result mixed = ready("--offline");
        assertThat(mixed.exit()).isEqualTo(1);
        assertThat(mixed.err()).contains("the brokers [1, 2, 3] are on the bridge");
        serving();

        Result refused = ready("--offline");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("2 tiered topics are still copied", "remote.log.copy.disable", "--force");
        assertUntouched();

        shell.brokers.topics.replaceAll(
                (id, topic) -> new TopicInfo(topic.name(), topic.tiered(), topic.retentionMs(), true));
        history.write(10);
        Result done = ready("--offline");
        assertThat(done.exit()).as(done.err()).isZero();
        assertThat(now().state()).isEqualTo(ClusterState.READY);
        assertThat(run("verify").exit()).isZero();
    }

    @Test
    void offlineATopicThatComesInWithTheLastRecordsMustBeSeenToo() {
        serving();
        shell.brokers.topics.replaceAll(
                (id, topic) -> new TopicInfo(topic.name(), topic.tiered(), topic.retentionMs(), true));
        TopicIdPartition hidden = new TopicIdPartition(Uuid.randomUuid(), new TopicPartition("hidden", 0));
        shell.brokers.write(added(hidden, 0));
        shell.brokers.topics.remove(hidden.topicId());

        Result refused = ready("--offline");

        assertThat(refused.exit()).as(refused.err()).isEqualTo(1);
        assertThat(refused.err()).contains("do not tell this login of 1 topics", "hidden");
        assertUntouched();
        assertThat(ready("--offline", "--force").exit()).isZero();
    }

    @Test
    void offlineATopicThatIsCopiedAgainWhileTheLastRecordsComeInIsRefused() {
        serving();
        shell.brokers.topics.replaceAll(
                (id, topic) -> new TopicInfo(topic.name(), topic.tiered(), topic.retentionMs(), true));
        history.write(10);
        shell.brokers.onPoll = () -> shell.brokers.topics.replaceAll(
                (id, topic) -> new TopicInfo(topic.name(), topic.tiered(), topic.retentionMs(), false));

        Result refused = ready("--offline");

        assertThat(refused.exit()).as(refused.err()).isEqualTo(1);
        assertThat(refused.err()).contains("2 tiered topics are still copied");
        assertUntouched();
    }

    @Test
    void aTopicThatIsCompactedSinceTheImportMayLackItsLastRecords() {
        history.write(10);
        shell.brokers.cleanupPolicy = "compact";

        Result refused = ready();

        assertThat(refused.exit()).as(refused.err()).isEqualTo(1);
        assertThat(refused.err()).contains("is compacted", "set its cleanup.policy to delete");
        assertUntouched();
        assertThat(ready("--accept-truncated-history").exit()).isZero();
    }

    private static RemoteLogSegmentMetadata added(TopicIdPartition partition, long start) {
        return new RemoteLogSegmentMetadata(
                new RemoteLogSegmentId(partition, Uuid.randomUuid()), start, start + 9, 5, 1, 6, 7, Map.of(0, start));
    }

    @Test
    void whatAnotherImportBroughtInSinceTheTopicWasAskedForIsNotLost() {
        history.write(20);
        shell.brokers.onDescribed = () -> {
            shell.brokers.onDescribed = () -> {};
            history.write(20);
            assertThat(run(
                                    "import",
                                    "--skipped-events",
                                    directory.resolve("skipped").toString())
                            .exit())
                    .isZero();
        };

        Result result = ready();

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(now().state()).isEqualTo(ClusterState.READY);
    }

    @Test
    void backToTheTopic() {
        assertThat(ready().exit()).isZero();
        Tampering.withSegment(
                shell.provider.database, Shell.CLUSTER, history.partitions().get(0));
        long records = shell.brokers.size();

        Result result = run("rollback", "--deadline", "20");

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.err()).contains("the topic holds what the catalogue holds", "bridged (revision 5)");
        assertThat(now().state()).isEqualTo(ClusterState.BRIDGED);
        assertThat(shell.brokers.size()).isGreaterThan(records);
        assertThat(run("export").err()).contains("bridged", "not complete");
        assertThat(ready().err()).contains("'shelfmark cutover' is for one that is importing");
        assertThat(shell.runConfigured("state", "--brokers").out()).contains("bridge", "bridged");

        // And once more to the catalogue, which holds what it held.
        assertThat(shell.runConfigured("state", "set", Shell.CLUSTER, "importing", "--note", "again")
                        .exit())
                .isZero();
        history.write(30);
        Result again = ready();
        assertThat(again.exit()).as(again.err()).isZero();
        assertThat(run("verify").exit()).isZero();
    }

    @Test
    void onTheWayBackABrokerThatNeverAcknowledgesIsNamed() {
        assertThat(ready().exit()).isZero();
        brokers.deaf.add(3);

        Result result = run("rollback", "--deadline", "3");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("given up, and all is ready as before", "broker 3 has not acknowledged");
        assertThat(now().state()).isEqualTo(ClusterState.READY);
    }

    @Test
    void ofAClusterThatIsReadyItSaysAtOnceWhoActsOnIt() {
        assertThat(ready().exit()).isZero();
        brokers.modes.put(2, Mode.CATALOGUE);
        brokers.modes.put(3, Mode.CATALOGUE);
        brokers.awaitAll(Shell.CLUSTER);

        Result all = ready();

        assertThat(all.exit()).as(all.err()).isZero();
        assertThat(all.err())
                .contains("is ready since", "every broker acts on it")
                .doesNotContain("stands still");

        deadline = "50";
        brokers.modes.remove(1);
        shell.brokers.registered.put(4, true);
        Result some = ready();
        assertThat(some.exit()).as(some.err()).isZero();
        assertThat(some.err())
                .contains(
                        "not every broker acts on it: broker 1 has acknowledged READY, but its heartbeat stands still")
                .contains("broker 4 has never written a heartbeat")
                .doesNotContain("every broker acts on it\n", "the deadline passed", "broker 2", "broker 3");
    }

    @Test
    void ofAClusterThatIsBridgedItSaysAtOnceWhoIsLeftWithoutAnswers() {
        assertThat(ready().exit()).isZero();
        assertThat(run("rollback", "--deadline", "20").exit()).isZero();
        brokers.modes.put(2, Mode.CATALOGUE);
        brokers.modes.remove(1);
        brokers.awaitAll(Shell.CLUSTER);

        Result again = run("rollback", "--deadline", "50");

        assertThat(again.exit()).as(again.err()).isZero();
        assertThat(again.err())
                .contains("not every broker acts on it: broker 2 runs the plugin without")
                .doesNotContain("the deadline passed", "broker 1", "broker 3");
    }

    @Test
    void itSaysThatItWaitsForAnotherImport() {
        history.write(20);
        LoadClaim claim = shell.provider.database.claimLoad(Shell.CLUSTER, "bob", Duration.ofSeconds(60));
        assertThat(claim).isInstanceOf(LoadClaim.Granted.class);
        shell.stopped = true;

        Result result = ready();

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("waiting: the import is behind by ", "bob is at it", "error: stopped while");
        assertUntouched();
    }

    @Test
    void ofTwoAtOnceTheSlowerSaysThatTheOtherWasFaster() {
        // As soon as this one has compared everything, another is through; this one's objection is old.
        shell.brokers.registered.put(4, true);
        shell.brokers.onRegistered = () -> {
            shell.brokers.onRegistered = () -> {};
            move(ClusterState.DRAINING_TO_READY);
            move(ClusterState.READY);
            brokers.awaitAll(Shell.CLUSTER);
        };

        Result result = ready();

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("somebody else moved cluster").contains("READY");
        assertThat(now().state()).isEqualTo(ClusterState.READY);
    }

    @Test
    void aStoreThatFailsWhileWritesWaitIsToldAsSuch() {
        shell.brokers.onRegistered = () -> {
            // Nobody can look at the brokers' heartbeats any more, but the record can be moved.
            if (now().state() == ClusterState.DRAINING_TO_READY) {
                shell.provider.failureOfHeartbeats = new StoreException.AccessDenied("the right is gone", null);
            }
        };

        Result result = ready();

        assertThat(result.exit()).as(result.err()).isEqualTo(3);
        assertThat(result.err()).contains("given up, and all is importing as before", "the right is gone");
        assertThat(now().state()).isEqualTo(ClusterState.IMPORTING);
    }

    @Test
    void aStoreThatStaysAwayWhileWritesWaitLeavesTheNextStep() {
        shell.brokers.onRegistered = () -> {
            if (now().state() == ClusterState.DRAINING_TO_READY) {
                shell.fail(new StoreException.Unavailable("the database went away", null));
            }
        };
        deadline = "1";

        Result result = ready();

        assertThat(result.exit()).as(result.err()).isEqualTo(3);
        assertThat(result.err())
                .contains("given up", "the database went away", "run 'shelfmark cutover' again")
                .contains("While 'shelfmark state' shows draining_to_ready");
        assertThat(now().state()).isEqualTo(ClusterState.DRAINING_TO_READY);
    }

    @Test
    void aStoreThatDoesNotAnswerUntilTheDeadlineIsNoRefusal() {
        shell.brokers.onRegistered = () -> {
            if (now().state() == ClusterState.DRAINING_TO_READY) {
                shell.provider.failureOfHeartbeats = new StoreException.Unavailable("too busy", null);
            }
        };
        brokers.deaf.add(2);
        deadline = "2";

        Result result = ready();

        assertThat(result.exit()).as(result.err()).isEqualTo(3);
        assertThat(result.err()).contains("given up, and all is importing as before", "too busy");
        assertThat(now().state()).isEqualTo(ClusterState.IMPORTING);
    }

    @Test
    void brokersThatFailWhileWritesWaitAreToldAsSuch() {
        shell.brokers.onRegistered = () -> {
            if (now().state() == ClusterState.DRAINING_TO_READY) {
                throw ToolFailure.kafka("no answer from the brokers", new TimeoutException("late"));
            }
        };
        deadline = "2";

        Result result = ready();

        assertThat(result.exit()).as(result.err()).isEqualTo(4);
        assertThat(result.err()).contains("given up, and all is importing as before", "no answer from the brokers");
        assertThat(now().state()).isEqualTo(ClusterState.IMPORTING);
    }

    @Test
    void aFaultOfTheCommandWhileWritesWaitIsNoRefusal() {
        shell.brokers.onRegistered = () -> {
            if (now().state() == ClusterState.DRAINING_TO_READY) {
                throw new IllegalStateException("a fault");
            }
        };

        Result result = ready();

        assertThat(result.exit()).as(result.err()).isEqualTo(5);
        assertThat(result.err()).contains("given up, and all is importing as before: a fault of the command itself");
        assertThat(now().state()).isEqualTo(ClusterState.IMPORTING);
    }

    @Test
    void anImportThatTakesLongerThanWritesMayWaitIsGivenUp() {
        shell.brokers.onRegistered = () -> {
            if (now().state() == ClusterState.DRAINING_TO_READY) {
                shell.brokers.onRegistered = () -> {};
                history.write(500);
                shell.brokers.onPoll =
                        () -> LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            }
        };
        deadline = "2";

        Result result = ready("--verify-once");

        assertThat(result.exit()).as(result.err()).isEqualTo(1);
        assertThat(result.err())
                .contains("given up, and all is importing as before", "before the last records were in", "--deadline")
                .doesNotContain("the topic's last records are in");
        shell.brokers.onPoll = () -> {};
        deadline = "20";
        assertThat(ready().exit()).isZero();
    }

    private void move(ClusterState state) {
        ClusterRecord before = now();
        assertThat(shell.provider.database.putCluster(
                        new ClusterRecord(Shell.CLUSTER, state, before.revision() + 1, Shell.NOW, "killed", "")))
                .isTrue();
    }
}
