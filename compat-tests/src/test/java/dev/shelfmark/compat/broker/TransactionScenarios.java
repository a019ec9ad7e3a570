package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.SegmentRecord;
import org.junit.jupiter.api.Test;

/** Transactions stay whole when their records lie in both tiers. */
abstract class TransactionScenarios {

    @Test
    void abortedRecordsStayInvisibleAcrossTheTiers(TwoBrokers brokers) {
        TieredTopic topic = brokers.create(TopicSpec.named("transactions", 1, 2));
        try (Ledger ledger = new Ledger(topic, 0)) {
            for (int round = 0; round < 4; round++) {
                // More than a segment each, so that an aborted record and its marker lie in different segments.
                ledger.commit(60).abort(70).write(60).abort(5);
            }
            topic.awaitTiered(0);
            ledger.commit(10).abort(10);

            assertThat(brokers.records(topic))
                    .extracting(SegmentRecord::txnIndexEmpty)
                    .contains(true, false);
            assertThat(ledger.verifyCommitted().records()).isEqualTo(ledger.size());
            for (long from = 0; from < topic.offsets(0).end(); from += 97) {
                ledger.verify(from, "read_committed");
            }
            brokers.assertCatalogueMatchesRemoteTier(topic);
        }
    }
}
