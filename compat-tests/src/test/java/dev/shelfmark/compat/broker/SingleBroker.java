package dev.shelfmark.compat.broker;

import java.time.Duration;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/** One broker with a catalogue, for a test that takes one of them away. */
final class SingleBroker implements AutoCloseable {

    /** Several of the broker's passes over every partition, at half a second each. */
    private static final Duration SEVERAL_PASSES = Duration.ofSeconds(4);

    private final CatalogueServer catalogue;
    private final TestCluster cluster;

    SingleBroker(Supplier<CatalogueServer> store, String key, String value) {
        catalogue = store.get();
        try {
            cluster = TestCluster.builder()
                    .catalogue(catalogue.brokerProperties())
                    .brokerConfig(key, value)
                    .start();
        } catch (RuntimeException e) {
            catalogue.close();
            throw e;
        }
    }

    CatalogueServer catalogue() {
        return catalogue;
    }

    TestCluster cluster() {
        return cluster;
    }

    Broker broker() {
        return cluster.broker(1);
    }

    /** That something holds now and goes on holding while the broker works. */
    static void stays(String what, ThrowingRunnable assertion) {
        Awaitility.await(what)
                .during(SEVERAL_PASSES)
                .atMost(SEVERAL_PASSES.multipliedBy(3))
                .pollInterval(Duration.ofMillis(250))
                .untilAsserted(assertion);
    }

    /** Prints the broker's log when a test fails. */
    void run(Runnable test) {
        try {
            test.run();
        } catch (RuntimeException | AssertionError e) {
            cluster.printLogs(System.err);
            throw e;
        }
    }

    @Override
    public void close() {
        cluster.close();
        catalogue.close();
    }
}
