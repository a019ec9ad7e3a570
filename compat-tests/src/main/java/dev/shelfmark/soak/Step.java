package dev.shelfmark.soak;

import java.time.Duration;

/**
 * Something that is done to the cluster.
 *
 * @param at when, from the start of the soak
 * @param lasting how long, for what ends again
 * @param action what
 * @param argument a number between 0 and 999 that chooses to whom
 */
record Step(Duration at, Duration lasting, Action action, int argument) {

    /** Who does it: the steps of one lane never overlap. */
    enum Lane {
        BROKERS,
        DATABASE,
        OPERATOR
    }

    /** What may be done. */
    enum Action {
        KILL_BROKER(Lane.BROKERS, false),
        PAUSE_BROKER(Lane.BROKERS, false),
        REFUSE_CONNECTIONS(Lane.DATABASE, false),
        CUT_CONNECTIONS(Lane.DATABASE, false),
        BLACK_HOLE(Lane.DATABASE, false),
        DELAY_PACKETS(Lane.DATABASE, false),
        CUT_BEFORE_REQUEST(Lane.DATABASE, false),
        CUT_AFTER_COMMIT(Lane.DATABASE, false),
        RESTART_DATABASE(Lane.DATABASE, true),
        KILL_DATABASE(Lane.DATABASE, true),
        FREEZE_DATABASE(Lane.DATABASE, true),
        CONNECTION_LIMIT(Lane.DATABASE, true),
        HOLD_LOCKS(Lane.DATABASE, true),
        TERMINATE_SESSIONS(Lane.DATABASE, true),
        CREATE_TOPIC(Lane.OPERATOR, false),
        DELETE_TOPIC(Lane.OPERATOR, false),
        CHANGE_LEADER(Lane.OPERATOR, false),
        CHANGE_LEADER_WHILE_IT_COPIES(Lane.OPERATOR, false),
        REASSIGN(Lane.OPERATOR, false),
        SHORTEN_RETENTION(Lane.OPERATOR, false);

        private final Lane lane;
        private final boolean postgres;

        Action(Lane lane, boolean postgres) {
            this.lane = lane;
            this.postgres = postgres;
        }

        Lane lane() {
            return lane;
        }

        /** Whether only PostgreSQL has it. */
        boolean postgres() {
            return postgres;
        }
    }
}
