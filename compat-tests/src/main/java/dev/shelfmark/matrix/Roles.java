package dev.shelfmark.matrix;

/** Which processes a cluster consists of. */
enum Roles {
    /** Three nodes, each broker and controller. */
    COMBINED,
    /** Two brokers, and a controller beside them. */
    SEPARATE
}
