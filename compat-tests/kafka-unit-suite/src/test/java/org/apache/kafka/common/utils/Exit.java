package org.apache.kafka.common.utils;

/** What Kafka's published tests call by a name that the supported version has moved; as much of it as they use. */
public final class Exit {

    private Exit() {}

    /** Runs something when the tests' process ends: temporary directories are removed this way. */
    public static void addShutdownHook(String name, Runnable work) {
        Runtime.getRuntime().addShutdownHook(new Thread(work, name));
    }
}
