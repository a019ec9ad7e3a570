package dev.shelfmark.compat.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How the processes of one cluster are run: which Kafka, which JVM settings, which logging.
 *
 * @param kafka the jars
 * @param directory of the cluster; holds what all nodes share
 * @param tiedToParent whether they end with the process that started them
 * @param jvm the JVM's options
 * @param javaHome the JDK
 * @param moreJars on the broker's class path, behind Kafka's own
 */
record NodeRuntime(
        KafkaDistribution kafka,
        Path directory,
        boolean tiedToParent,
        List<String> jvm,
        Path javaHome,
        List<Path> moreJars) {

    /** Small and quick to start: brokers of tests live for seconds, and several run at once. */
    static final List<String> SMALL = List.of(
            "-Xmx384m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError");

    private static final String LOGGING = """
            <?xml version="1.0" encoding="UTF-8"?>
            <Configuration status="WARN">
              <Appenders>
                <Console name="console">
                  <PatternLayout pattern="%d{HH:mm:ss.SSS} %-5p [%t] %c{1} - %m%n"/>
                </Console>
              </Appenders>
              <Loggers>
                <Logger name="org.apache.kafka.common.config" level="WARN"/>
                <Logger name="org.apache.kafka.clients" level="WARN"/>
                <Logger name="org.apache.kafka.common.utils.AppInfoParser" level="WARN"/>
                <Logger name="org.apache.kafka.raft" level="WARN"/>
                <Root level="INFO">
                  <AppenderRef ref="console"/>
                </Root>
              </Loggers>
            </Configuration>
            """;

    private static final String LOGGING_BEFORE_4 = """
            log4j.rootLogger=INFO, console
            log4j.appender.console=org.apache.log4j.ConsoleAppender
            log4j.appender.console.layout=org.apache.log4j.PatternLayout
            log4j.appender.console.layout.ConversionPattern=%d{HH:mm:ss.SSS} %-5p [%t] %c{1} - %m%n
            """;

    /** The same with another release of Kafka. */
    NodeRuntime with(KafkaDistribution release) {
        return new NodeRuntime(release, directory, tiedToParent, jvm, javaHome, moreJars);
    }

    /** The same with other jars behind Kafka's own. */
    NodeRuntime withJars(List<Path> jars) {
        return new NodeRuntime(kafka, directory, tiedToParent, jvm, javaHome, jars);
    }

    /** As Kafka's own scripts start a broker. */
    static List<String> asInProduction(long heapMib) {
        return List.of(
                "-Xmx" + heapMib + "m",
                "-Xms" + heapMib + "m",
                "-XX:+UseG1GC",
                "-XX:MaxGCPauseMillis=20",
                "-XX:InitiatingHeapOccupancyPercent=35",
                "-XX:+ExplicitGCInvokesConcurrent",
                "-XX:+ExitOnOutOfMemoryError");
    }

    void prepare() {
        try {
            Files.createDirectories(directory);
            Files.writeString(logging(), LOGGING);
            Files.writeString(loggingBefore4(), LOGGING_BEFORE_4);
            KafkaDistribution.copyOrphanGuard(launcher());
        } catch (IOException e) {
            throw new UncheckedIOException("can't prepare " + directory, e);
        }
    }

    List<String> broker(Path properties) {
        return tiedToParent
                ? java(OrphanGuard.class.getName(), "kafka.Kafka", properties.toString())
                : java("kafka.Kafka", properties.toString());
    }

    List<String> format(String clusterId, Path properties) {
        // The equals sign: a cluster id may begin with a hyphen.
        return java(
                "kafka.tools.StorageTool", "format", "--cluster-id=" + clusterId, "--config", properties.toString());
    }

    private List<String> java(String... mainAndArguments) {
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve("bin").resolve("java").toString());
        command.addAll(jvm);
        command.add("-Dlog4j2.configurationFile=" + logging());
        command.add("-Dlog4j.configuration=file:" + loggingBefore4());
        command.add("-cp");
        StringBuilder classPath = new StringBuilder(tiedToParent ? launcher() + ":" : "").append(kafka.classPath());
        moreJars.forEach(jar -> classPath.append(':').append(jar));
        command.add(classPath.toString());
        command.addAll(List.of(mainAndArguments));
        return command;
    }

    private Path logging() {
        return directory.resolve("log4j2.xml");
    }

    private Path loggingBefore4() {
        return directory.resolve("log4j.properties");
    }

    private Path launcher() {
        return directory.resolve("launcher");
    }
}
