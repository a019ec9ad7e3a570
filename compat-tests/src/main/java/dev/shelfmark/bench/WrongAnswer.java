package dev.shelfmark.bench;

/** A manager under test answered wrongly: whatever it took, it does not count. */
final class WrongAnswer extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WrongAnswer(String message) {
        super(message);
    }
}
