package dev.shelfmark.store;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/** Kafka's textual form of an id: the 16 bytes in URL-safe base64 without padding, 22 characters. */
public final class TextualId {

    private static final int TEXT_LENGTH = 22;

    private TextualId() {}

    /** The text that Kafka's tools print for this id. */
    public static String of(UUID id) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
        bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /**
     * The id that this text names.
     *
     * @throws IllegalArgumentException when the text is not 22 characters of URL-safe base64
     */
    public static UUID parse(String text) {
        if (text.length() != TEXT_LENGTH) {
            throw new IllegalArgumentException("'" + text + "' is not an id: Kafka's textual ids have 22 characters");
        }
        ByteBuffer bytes;
        try {
            bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not an id: it must be URL-safe base64", e);
        }
        return new UUID(bytes.getLong(), bytes.getLong());
    }
}
