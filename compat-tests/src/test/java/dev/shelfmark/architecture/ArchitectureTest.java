package dev.shelfmark.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The arrows between modules and packages, as docs/ARCHITECTURE.md draws them: plugin, catalogue, store, driver, and never back. Whoever
 * needs an arrow that is refused here moves a class to where both may see it.
 */
final class ArchitectureTest {

    /** What ships: neither the kit for stores nor the benchmark nor any test. */
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.shelfmark")
            .that(resideOutsideOfPackages(
                    "dev.shelfmark.compat..", "dev.shelfmark.bench..", "dev.shelfmark.quickstart.."));

    private static final String[] STORES = {"dev.shelfmark.jdbc..", "dev.shelfmark.dynamodb.."};
    private static final String[] PLUGIN = {"dev.shelfmark", "dev.shelfmark.plugin.."};
    private static final String TOOL = "dev.shelfmark.tool..";

    /** {@code store} and {@code store.admin} are one interface in two packages: a provider opens what either describes. */
    private static final Map<String, String> TAKEN_TOGETHER =
            Map.of("dev.shelfmark.store.admin", "dev.shelfmark.store");

    @Test
    void allModulesAreSeen() {
        assertThat(PRODUCT.stream().map(JavaClass::getPackageName))
                .contains(
                        "dev.shelfmark",
                        "dev.shelfmark.plugin",
                        "dev.shelfmark.catalogue",
                        "dev.shelfmark.store",
                        "dev.shelfmark.jdbc",
                        "dev.shelfmark.dynamodb",
                        "dev.shelfmark.tool");
    }

    @Test
    void noPackagesUseEachOther() {
        slices().assignedFrom(new PackageOf()).should().beFreeOfCycles().check(PRODUCT);
    }

    private static final class PackageOf implements SliceAssignment {

        @Override
        public String getDescription() {
            return "packages";
        }

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName();
            return SliceIdentifier.of(TAKEN_TOGETHER.getOrDefault(name, name));
        }
    }

    @Test
    void theStoresInterfaceKnowsNobody() {
        classes()
                .that()
                .resideInAnyPackage("dev.shelfmark.store", "dev.shelfmark.store.admin")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.shelfmark.store",
                        "dev.shelfmark.store.admin",
                        "java..",
                        "org.apache.kafka.common.config..",
                        "org.jspecify..",
                        "org.slf4j..")
                .check(PRODUCT);
    }

    @Test
    void theCatalogueKnowsOnlyTheStoresInterface() {
        noClasses()
                .that()
                .resideInAPackage("dev.shelfmark.catalogue..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("dev.shelfmark..")
                        .and(resideOutsideOfPackages(
                                "dev.shelfmark.catalogue..", "dev.shelfmark.store", "dev.shelfmark.retry")))
                .check(PRODUCT);
    }

    @Test
    void storesKnowOnlyTheirInterface() {
        for (String store : STORES) {
            noClasses()
                    .that()
                    .resideInAPackage(store)
                    .should()
                    .dependOnClassesThat(resideInAnyPackage("dev.shelfmark..")
                            .and(resideOutsideOfPackages(
                                    store, "dev.shelfmark.store", "dev.shelfmark.store.admin", "dev.shelfmark.retry")))
                    .check(PRODUCT);
        }
    }

    @Test
    void nobodyKnowsAStoreOrTheTool() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.shelfmark.jdbc..", "dev.shelfmark.dynamodb..", TOOL)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.shelfmark.jdbc..", "dev.shelfmark.dynamodb..", TOOL)
                .check(PRODUCT);
        noClasses()
                .that()
                .resideInAPackage(TOOL)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(STORES)
                .check(PRODUCT);
    }

    @Test
    void theToolNeedsNoBroker() {
        noClasses()
                .that()
                .resideInAPackage(TOOL)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(PLUGIN)
                .check(PRODUCT);
    }

    /** Settings are Kafka's ConfigDef everywhere; its other classes are for the plugin and the tool. */
    @Test
    void theCatalogueAndTheStoresKnowNothingOfKafkaButSettings() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.shelfmark.catalogue..",
                        "dev.shelfmark.store..",
                        "dev.shelfmark.retry..",
                        "dev.shelfmark.jdbc..",
                        "dev.shelfmark.dynamodb..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.kafka..")
                        .and(resideOutsideOfPackages("org.apache.kafka.common.config..")))
                .check(PRODUCT);
    }

    @Test
    void driversAreKnownToTheirStoresOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.shelfmark.jdbc..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.sql..", "javax.sql..", "org.postgresql..", "org.jdbi..", "org.flywaydb..", "com.zaxxer..")
                .check(PRODUCT);
        noClasses()
                .that()
                // The tool lists a bucket to find objects that no record names.
                .resideOutsideOfPackages("dev.shelfmark.dynamodb..", "dev.shelfmark.tool.storage..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("software.amazon..")
                .check(PRODUCT);
    }

    @Test
    void noRoomUsesTheRootThatPutsItTogether() {
        for (String root : List.of("dev.shelfmark.jdbc", "dev.shelfmark.dynamodb", "dev.shelfmark.tool")) {
            noClasses()
                    .that()
                    .resideInAPackage(root + ".*..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(root)
                    .check(PRODUCT);
        }
    }

    @Test
    void theToolsTasksAreIndependentOfEachOther() {
        for (String task : Set.of("setup", "migrate", "audit")) {
            noClasses()
                    .that()
                    .resideInAPackage("dev.shelfmark.tool." + task + "..")
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(
                                    "dev.shelfmark.tool.setup..",
                                    "dev.shelfmark.tool.migrate..",
                                    "dev.shelfmark.tool.audit..")
                            .and(resideOutsideOfPackages("dev.shelfmark.tool." + task + "..")))
                    .check(PRODUCT);
        }
    }

    @Test
    void whatTheTasksShareUsesNoTask() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.shelfmark.tool.failure..",
                        "dev.shelfmark.tool.config..",
                        "dev.shelfmark.tool.kafka..",
                        "dev.shelfmark.tool.console..",
                        "dev.shelfmark.tool.cluster..",
                        "dev.shelfmark.tool.storage..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.shelfmark.tool.setup..", "dev.shelfmark.tool.migrate..", "dev.shelfmark.tool.audit..")
                .check(PRODUCT);
    }
}
