package dev.shelfmark.matrix;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command. Exit codes: 0 everything works everywhere, 1 something does not. */
@Command(
        name = "bin/matrix",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 120,
        description = {
            "Runs the built plugin on real clusters of several releases of Kafka: cuts over from Kafka's default, tiers, reads from"
                    + " leader and follower, restarts, kills, changes leaders, deletes by retention and with the topic, rolls back.",
            "Without --all each release runs twice: with the plugin's directory and separate roles on the first JDK, and with the"
                    + " single jar in libs and combined roles on the last."
        },
        footer = {
            "",
            "Exit codes: 0 everything works everywhere, 1 something does not.",
            "Example: two releases on two JDKs",
            "  bin/matrix --versions 4.0.2,4.4.0 --java /usr/lib/jvm/jdk-17,/usr/lib/jvm/jdk-25"
        })
public final class Matrix implements Callable<Integer> {

    @Option(
            names = "--versions",
            split = ",",
            defaultValue = "3.9.2,4.0.2,4.1.2,4.2.1,4.3.1,4.4.0",
            description =
                    "Kafka's releases; FROM:TO upgrades a running cluster node by node. Default: ${DEFAULT-VALUE}.")
    private List<String> versions = List.of();

    @Option(
            names = "--java",
            split = ",",
            paramLabel = "HOME",
            description = "The JDKs. Default: the one that runs this command.")
    private List<Path> javaHomes = List.of(Path.of(System.getProperty("java.home")));

    @Option(
            names = "--loading",
            split = ",",
            description = "Only these ways to load the plugin: ${COMPLETION-CANDIDATES}.")
    private Set<Loading> loadings = EnumSet.allOf(Loading.class);

    @Option(names = "--roles", split = ",", description = "Only these roles: ${COMPLETION-CANDIDATES}.")
    private Set<Roles> roles = EnumSet.allOf(Roles.class);

    @Option(names = "--all", description = "Every combination of release, JDK, loading and roles.")
    private boolean all;

    @Option(names = "--write", paramLabel = "PAGE", description = "Also write the table into this page.")
    private @Nullable Path page;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Matrix() {}

    /** Runs the command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Matrix())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter err = spec.commandLine().getErr();
        List<CellResult> results = new ArrayList<>();
        for (Cell cell : cells()) {
            err.println(cell);
            err.flush();
            CellResult result = new MainJob(cell, step -> {
                        err.println("  " + step.title());
                        err.flush();
                    })
                    .run();
            if (result.failure() != null) {
                err.println("  failed: " + result.failure());
            }
            results.add(result);
            if (page != null) {
                MatrixTable.write(page, results);
            }
        }
        spec.commandLine().getOut().print(MatrixTable.of(results));
        spec.commandLine().getOut().flush();
        return results.stream().allMatch(result -> result.failed() == null) ? 0 : 1;
    }

    private List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (String version : versions) {
            String[] fromTo = version.split(":", 2);
            String to = fromTo[fromTo.length - 1];
            for (Loading loading : loadings) {
                for (Roles role : roles) {
                    for (Path home : javaHomes) {
                        Cell cell = new Cell(fromTo[0], to, home, loading, role);
                        if (all || isChosen(cell)) {
                            cells.add(cell);
                        }
                    }
                }
            }
        }
        return cells;
    }

    /** With one value of an option nothing is left to choose. */
    private boolean isChosen(Cell cell) {
        boolean first = cell.loading() == Loading.DIRECTORY;
        boolean role = roles.size() == 1 || cell.roles() == (first ? Roles.SEPARATE : Roles.COMBINED);
        Path home = javaHomes.get(first || loadings.size() == 1 ? 0 : javaHomes.size() - 1);
        return role && cell.javaHome().equals(home);
    }
}
