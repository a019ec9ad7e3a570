package dev.shelfmark.tool.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.tool.Shell;
import dev.shelfmark.tool.Shell.Result;
import dev.shelfmark.tool.cluster.StateMeaning;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateCommandTest {

    private final Shell shell;

    StateCommandTest(@TempDir Path directory) throws IOException {
        shell = new Shell(directory);
        shell.provider.schemaVersion = 2;
    }

    private void registered(ClusterState state) {
        shell.provider.database.putCluster(
                new ClusterRecord(Shell.CLUSTER, state, 1, Shell.NOW, "bob", "a note, with\nlines"));
    }

    private ClusterRecord now() {
        return shell.provider.database.clusters().get(0);
    }

    @Test
    void aChangeWhoseAnswerIsLostIsReadBack() {
        registered(ClusterState.READY);
        shell.provider.losesNextAnswer = true;

        Result result = shell.runConfigured("state", "set", Shell.CLUSTER, "restoring", "--yes", "--note", "a backup");

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(now().state()).isEqualTo(ClusterState.RESTORING);
        assertThat(now().revision()).isEqualTo(2);
    }

    @Test
    void showsATable() {
        registered(ClusterState.READY);

        Result result = shell.runConfigured("state");

        assertThat(result.exit()).isZero();
        assertThat(result.out().lines())
                .containsExactly(
                        "CLUSTER                 STATE  REVISION  CHANGED AT            CHANGED BY  NOTE",
                        "MkU3OEVBNTcwNTJENDM2Qg  ready         1  2026-05-03T10:15:30Z  bob         a note, with lines");
    }

    @Test
    void showsJsonAndCsv() {
        registered(ClusterState.IMPORTING);

        assertThat(shell.runConfigured("state", "--output", "json").out())
                .contains("\"state\" : \"importing\"", "\"revision\" : 1", "\"note\" : \"a note, with\\nlines\"");
        assertThat(shell.runConfigured("state", "--output", "csv").out())
                .isEqualTo(String.join(
                        "\r\n",
                        "cluster,state,revision,changedAt,changedBy,note",
                        "MkU3OEVBNTcwNTJENDM2Qg,importing,1,2026-05-03T10:15:30Z,bob,\"a note, with\nlines\"",
                        ""));
    }

    @Test
    void anEmptyStoreSaysWhatIsNext() {
        assertThat(shell.runConfigured("state").out())
                .contains("no cluster is registered", "shelfmark init", "shelfmark import");
        assertThat(shell.runConfigured("state", "--output", "json").out().strip())
                .isEqualTo("[ ]");
    }

    @ParameterizedTest
    @CsvSource({"IMPORTING,READY", "RESTORING,READY", "READY,IMPORTING", "READY,RESTORING"})
    void dangerousChangesNeedAYes(ClusterState from, ClusterState to) {
        registered(from);

        Result refused = shell.runConfigured("state", "set", Shell.CLUSTER, to.name(), "--note", "x");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("dangerous", "--yes");
        assertThat(now().state()).isEqualTo(from);

        Result done = shell.runConfigured("state", "set", Shell.CLUSTER, to.name(), "--note", "x", "--yes");
        assertThat(done.exit()).isZero();
        assertThat(done.out()).contains(StateMeaning.forBrokers(to));
        assertThat(now()).isEqualTo(new ClusterRecord(Shell.CLUSTER, to, 2, Shell.NOW, "ada", "x"));
    }

    /** From where the catalogue is the truth, or was, to where the topic is, and nothing was exported to it. */
    @ParameterizedTest
    @CsvSource({
        "READY,IMPORTING",
        "READY,DRAINING_TO_READY",
        "DRAINING_TO_BRIDGED,IMPORTING",
        "DRAINING_TO_BRIDGED,DRAINING_TO_READY",
        "DRAINING_TO_BRIDGED,BRIDGED",
        "RESTORING,IMPORTING",
        "RESTORING,DRAINING_TO_READY",
        "RESTORING,BRIDGED"
    })
    void aTopicThatLacksWhatTheCatalogueHasIsNotBelievedWithoutAYes(ClusterState from, ClusterState to) {
        registered(from);

        Result refused = shell.runConfigured("state", "set", Shell.CLUSTER, to.name(), "--note", "x");

        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("Kafka's topic as it is, which lacks", "--yes");
        assertThat(now().state()).isEqualTo(from);
    }

    /** Also to where it is read while writes wait, from which the next step needs no more words. */
    @ParameterizedTest
    @CsvSource({
        "IMPORTING,DRAINING_TO_BRIDGED",
        "DRAINING_TO_READY,DRAINING_TO_BRIDGED",
        "BRIDGED,DRAINING_TO_BRIDGED",
        "RESTORING,DRAINING_TO_BRIDGED",
        "DRAINING_TO_READY,READY"
    })
    void aCatalogueThatNobodyVerifiedIsNotBelievedWithoutAYes(ClusterState from, ClusterState to) {
        registered(from);

        Result refused = shell.runConfigured("state", "set", Shell.CLUSTER, to.name(), "--note", "x");

        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("believe the catalogue at once", "--yes");
        assertThat(now().state()).isEqualTo(from);
    }

    @ParameterizedTest
    @CsvSource({"DRAINING_TO_READY,IMPORTING", "DRAINING_TO_BRIDGED,READY", "BRIDGED,IMPORTING"})
    void theWayBackNeedsNone(ClusterState from, ClusterState to) {
        registered(from);

        Result result = shell.runConfigured("state", "set", Shell.CLUSTER, to.name(), "--note", "x");

        assertThat(result.exit()).isZero();
        assertThat(now().state()).isEqualTo(to);
    }

    @Test
    void harmlessChangesNeedNone() {
        registered(ClusterState.IMPORTING);

        Result result = shell.runConfigured("state", "set", Shell.CLUSTER, "restoring", "--note", "x");

        assertThat(result.exit()).isZero();
        assertThat(now().state()).isEqualTo(ClusterState.RESTORING);
    }

    @Test
    void theSameStateChangesNothing() {
        registered(ClusterState.READY);

        Result result = shell.runConfigured("state", "set", Shell.CLUSTER, "ready", "--note", "x");

        assertThat(result.exit()).isZero();
        assertThat(result.out()).contains("already ready");
        assertThat(now().revision()).isEqualTo(1);
    }

    @Test
    void anUnknownClusterIsRefused() {
        Result result = shell.runConfigured("state", "set", "nobody", "ready", "--note", "x", "--yes");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("knows no cluster nobody", "shelfmark init", "shelfmark import");
    }
}
