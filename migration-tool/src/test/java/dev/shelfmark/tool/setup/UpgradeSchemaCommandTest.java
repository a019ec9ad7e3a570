package dev.shelfmark.tool.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.tool.Shell;
import dev.shelfmark.tool.Shell.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpgradeSchemaCommandTest {

    private final Shell shell;

    UpgradeSchemaCommandTest(@TempDir Path directory) throws IOException {
        shell = new Shell(directory);
    }

    @Test
    void dryRunShowsWhatIsPendingAndChangesNothing() {
        Result result = shell.runConfigured("upgrade-schema", "--dry-run");

        assertThat(result.exit()).isZero();
        assertThat(result.out()).contains("pending: V1 segments", "pending: V2 audit views", "nothing was changed");
        assertThat(shell.provider.schemaVersion).isZero();
    }

    @Test
    void migratesAndRegistersNobody() {
        Result result = shell.runConfigured("upgrade-schema");

        assertThat(result.exit()).isZero();
        assertThat(shell.provider.schemaVersion).isEqualTo(2);
        assertThat(shell.provider.database.clusters()).isEmpty();
        assertThat(shell.runConfigured("upgrade-schema", "--dry-run").out()).contains("nothing is pending");
    }
}
