package dev.shelfmark.store;

import java.util.Set;

/**
 * How far a catalogue had come when one broker last wrote to it. Each broker has one such record a cluster, and only the broker writes it.
 *
 * @param brokerId Kafka's id of the broker
 * @param counter raised by the broker after it committed something; it never falls, unless the database went back
 * @param regression what the broker noticed when it found that the catalogue went back; {@link Regression#NONE} when nothing
 */
public record BrokerProgress(int brokerId, long counter, Regression regression) {

    public BrokerProgress {
        if (counter < 0) {
            throw new IllegalArgumentException("counter " + counter + " is below 0");
        }
    }

    /**
     * That a broker has seen more than the catalogue holds.
     *
     * @param catalogueId the catalogue that it says so of; empty for none
     * @param seenIds the catalogues that the broker has worked with before
     * @param reason for people: both values
     */
    public record Regression(String catalogueId, Set<String> seenIds, String reason) {

        /** Nothing was noticed. */
        public static final Regression NONE = new Regression("", Set.of(), "");

        public Regression {
            seenIds = Set.copyOf(seenIds);
        }
    }
}
