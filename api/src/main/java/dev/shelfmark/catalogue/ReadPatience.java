package dev.shelfmark.catalogue;

import java.time.Duration;

/**
 * How long the calling thread waits for the store.
 *
 * @param silence how long the store may send nothing before the read is given up; a long read that makes progress goes on
 * @param retryAfter how long after a failure such a thread may ask the store again; until then its reads fail at once. Zero: it always asks
 */
public record ReadPatience(Duration silence, Duration retryAfter) {}
