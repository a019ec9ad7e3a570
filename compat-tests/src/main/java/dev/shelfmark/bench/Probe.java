package dev.shelfmark.bench;

import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The main class of a JVM that measures one side once. Arguments: the file that tells it what, and the file for the results. */
public final class Probe {

    private static final Logger LOG = LoggerFactory.getLogger(Probe.class);

    /** The setting that names the {@link Measurement}. */
    static final String MEASUREMENT = "measurement";

    /** The setting that names the {@link Backend}. */
    static final String SIDE = "side";

    private Probe() {}

    /** Measures, and ends the JVM: 0 when every answer was right. */
    public static void main(String[] args) {
        int exit = 0;
        try {
            measure(Path.of(args[0]), Path.of(args[1]));
        } catch (Exception | Error e) {
            LOG.error("The measurement failed", e);
            exit = 1;
        }
        System.exit(exit);
    }

    /** Both sides find loaded what a broker has loaded long before it opens its catalogue: Kafka's settings, metrics and JMX. */
    private static void loadAsBroker() {
        Metrics metrics = new Metrics(
                new MetricConfig(), List.of(new JmxReporter()), Time.SYSTEM, new KafkaMetricsContext("kafka.server"));
        metrics.addMetric(metrics.metricName("bench", "bench"), (Gauge<Long>) (config, now) -> now);
        metrics.close();
        ProducerConfig.configDef().defaultValues();
    }

    private static void measure(Path told, Path answer) {
        Settings settings = Settings.read(told);
        Results results = new Results();
        loadAsBroker();
        Measurement.valueOf(settings.text(MEASUREMENT)).measure(settings, results);
        results.settings().write(answer);
    }
}
