package dev.shelfmark.jdbc.transport;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Puts UTC in place of the time zone in the startup message of PostgreSQL's protocol. pgjdbc sends the JVM's time zone there and has no setting
 * for it, and a server that does not know the zone refuses the connection.
 *
 * <p>Only the first messages are read: requests for encryption are passed on, then the startup message is changed. Anything else, such as an
 * encrypted stream or a request to cancel, goes through as it is, and so does all that follows. Like the driver's own streams, not thread-safe.
 */
final class UtcStartup extends FilterOutputStream {

    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;
    private static final int PROTOCOL_MAJOR = 3;
    private static final int HEADER = 2 * Integer.BYTES;

    /** The server takes no longer one. */
    private static final int LONGEST = 10_000;

    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private boolean passing;

    UtcStartup(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (passing) {
            out.write(bytes, offset, length);
            return;
        }
        held.write(bytes, offset, length);
        while (!passing && held.size() >= HEADER) {
            if (!next(held.toByteArray())) {
                return;
            }
        }
    }

    /** Passes on one message, if it is there as a whole. */
    private boolean next(byte[] bytes) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(bytes);
        int length = header.getInt();
        int code = header.getInt();
        if (length == HEADER && (code == SSL_REQUEST || code == GSS_REQUEST)) {
            pass(bytes, length, bytes);
        } else if (code >>> Short.SIZE != PROTOCOL_MAJOR || length < HEADER || length > LONGEST) {
            passing = true;
            pass(bytes, bytes.length, bytes);
        } else if (bytes.length < length) {
            return false;
        } else {
            passing = true;
            pass(withUtc(bytes, length), length, bytes);
        }
        return true;
    }

    /** Writes {@code message} in place of the first {@code taken} of the held bytes. */
    private void pass(byte[] message, int taken, byte[] bytes) throws IOException {
        held.reset();
        out.write(message, 0, message == bytes ? taken : message.length);
        if (passing) {
            out.write(bytes, taken, bytes.length - taken);
        } else {
            held.write(bytes, taken, bytes.length - taken);
        }
    }

    private static byte[] withUtc(byte[] message, int length) {
        // Bytes stand for themselves in Latin-1, whatever they are.
        String text = new String(message, HEADER, length - HEADER, StandardCharsets.ISO_8859_1);
        StringBuilder changed = new StringBuilder();
        String[] fields = text.split("\0", -1);
        for (int i = 0; i + 1 < fields.length && !fields[i].isEmpty(); i += 2) {
            boolean zone = fields[i].equalsIgnoreCase("TimeZone");
            changed.append(fields[i])
                    .append('\0')
                    .append(zone ? "UTC" : fields[i + 1])
                    .append('\0');
        }
        byte[] body = changed.append('\0').toString().getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocate(HEADER + body.length)
                .putInt(HEADER + body.length)
                .put(message, Integer.BYTES, Integer.BYTES)
                .put(body)
                .array();
    }
}
