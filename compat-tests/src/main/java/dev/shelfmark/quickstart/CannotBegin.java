package dev.shelfmark.quickstart;

/** Something about this machine must change first; the message says what. */
final class CannotBegin extends RuntimeException {

    CannotBegin(String message) {
        super(message);
    }
}
