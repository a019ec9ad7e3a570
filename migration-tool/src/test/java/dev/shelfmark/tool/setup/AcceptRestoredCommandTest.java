package dev.shelfmark.tool.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.BrokerProgress;
import dev.shelfmark.store.BrokerProgress.Regression;
import dev.shelfmark.store.CatalogueProgress;
import dev.shelfmark.store.ProgressKeeping;
import dev.shelfmark.tool.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AcceptRestoredCommandTest {

    private final Shell shell;
    private final ProgressKeeping store;

    AcceptRestoredCommandTest(@TempDir Path directory) throws IOException {
        shell = new Shell(directory);
        store = (ProgressKeeping) shell.store();
    }

    @BeforeEach
    void register() {
        shell.provider.schemaVersion = 2;
        shell.registered();
        store.begin(Shell.CLUSTER, "restored");
    }

    private Shell.Result accept(String... more) {
        String[] all = new String[more.length + 3];
        all[0] = "state";
        all[1] = "accept-restored";
        all[2] = Shell.CLUSTER;
        System.arraycopy(more, 0, all, 3, more.length);
        return shell.runConfigured(all);
    }

    private CatalogueProgress progress() {
        return store.progress(Shell.CLUSTER).orElseThrow();
    }

    private void report(String of) {
        store.putProgress(
                Shell.CLUSTER,
                new BrokerProgress(3, 5, new Regression(of, Set.of("lost", "before"), "it was at 9, it is at 5")));
    }

    @Test
    void showsWhatBrokersReportAndChangesNothingWithoutYes() {
        report("restored");
        CatalogueProgress before = progress();
        Shell.Result result = accept();
        assertThat(result.exit()).isNotZero();
        assertThat(result.out()).contains("broker 3 reports: it was at 9, it is at 5");
        assertThat(result.err()).contains("--yes");
        assertThat(progress()).isEqualTo(before);
    }

    @Test
    void takesThePlaceOfWhatBrokersHaveSeenAndOfWhatIsNamed() {
        report("restored");
        Shell.Result result = accept("--yes", "--replaces", "down");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(progress().catalogueId()).isNotEqualTo("restored");
        assertThat(progress().replaces()).containsExactlyInAnyOrder("restored", "lost", "before", "down");
        CatalogueProgress accepted = progress();
        assertThat(accept("--yes").out()).contains("no broker refuses");
        assertThat(progress()).isEqualTo(accepted);
    }

    @Test
    void aReportOfAnotherCatalogueIsSettled() {
        report("another");
        assertThat(accept("--yes").out()).contains("nothing was changed");
        assertThat(progress().catalogueId()).isEqualTo("restored");
    }

    @Test
    void refusesAClusterThatIsNotKnown() {
        Shell.Result result = shell.runConfigured("state", "accept-restored", "other", "--yes");
        assertThat(result.exit()).isNotZero();
        assertThat(result.err()).contains("knows no cluster other");
    }
}
