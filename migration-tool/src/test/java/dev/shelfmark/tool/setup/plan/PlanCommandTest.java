package dev.shelfmark.tool.setup.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.tool.Shell;
import dev.shelfmark.tool.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlanCommandTest {

    private static final Path DOCS = Path.of("..", "docs");
    private final Shell shell;

    PlanCommandTest(@TempDir Path directory) throws IOException {
        shell = new Shell(directory);
    }

    /** 2,000 partitions, 1 GiB segments at 1 GiB a second: each partition fills one in 2,000 s. */
    @Test
    void rowsConnectionsAndCost() {
        Result plan = shell.run(
                "plan",
                "--brokers",
                "6",
                "--partitions",
                "2000",
                "--write-rate",
                "1GiB",
                "--retention",
                "30d",
                "--output",
                "csv");
        assertThat(plan.exit()).as(plan.err()).isZero();
        assertThat(plan.out().lines())
                .contains(
                        "cluster,live segments,2592000,segments",
                        "cluster,segments of a partition,1296,segments",
                        "cluster,new segments,86400,a day",
                        "PostgreSQL,rows of segments,3196800,rows",
                        "PostgreSQL,rows of the history,2419200,rows",
                        "PostgreSQL,\"disk, without WAL\",1.33,GB",
                        "PostgreSQL,commits,4,a second",
                        "PostgreSQL,\"connections, at most\",60,connections",
                        "DynamoDB,write units,111,million a month");
    }

    @Test
    void aSegmentIsRolledByItsAge() {
        Result plan = shell.run(
                "plan",
                "--brokers",
                "1",
                "--partitions",
                "10",
                "--write-rate",
                "1kB",
                "--segment-age",
                "1d",
                "--retention",
                "30d",
                "--history-kept",
                "0s",
                "--output",
                "json");
        assertThat(plan.exit()).as(plan.err()).isZero();
        assertThat(plan.out().replaceAll("\\s+", " "))
                .contains(
                        "\"what\" : \"live segments\", \"value\" : 300",
                        "\"what\" : \"rows of the history\", \"value\" : 0,");
    }

    @Test
    void whatIsNoSizeIsRefused() {
        assertThat(shell.run(
                        "plan", "--brokers", "1", "--partitions", "1", "--write-rate", "fast", "--retention", "1d"))
                .satisfies(refused -> assertThat(refused.exit()).isEqualTo(2))
                .satisfies(refused -> assertThat(refused.err()).contains("'fast' is not a number of bytes"));
        assertThat(shell.run("plan", "--brokers", "0", "--partitions", "1", "--write-rate", "1", "--retention", "1d")
                        .err())
                .contains("--brokers must be above 0");
    }

    /** The calculator must not differ from the pages that it quotes. */
    @Test
    void theFiguresAreThoseOfTheDocumentation() throws IOException {
        assertThat(Files.readString(DOCS.resolve("performance.md")))
                .contains(
                        "| " + Figures.BYTES_OF_A_ROW + " B | 0.94",
                        "| " + Figures.HEAP_OF_A_SEGMENT + " B | 0.17",
                        "a row of " + Figures.BYTES_OF_A_CHANGE + " bytes per change");
        assertThat(Files.readString(DOCS.resolve("dynamodb.md")))
                .contains(
                        "| **a segment's life** | **" + Figures.WRITE_UNITS + "** | "
                                + Figures.WRITE_UNITS_WITHOUT_HISTORY + " without history",
                        "$0.625 per million writes, $0.125 per million strong reads",
                        "2.4 KB · ($0.25 + $0.20)",
                        "history's retention · 1.4 KB");
    }
}
