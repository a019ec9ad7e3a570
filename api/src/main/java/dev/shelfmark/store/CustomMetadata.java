package dev.shelfmark.store;

import java.util.Arrays;

/** What a RemoteStorageManager wants remembered with a segment: opaque bytes, equal by content. */
public final class CustomMetadata {

    private final byte[] bytes;

    private CustomMetadata(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Of a copy of these bytes; they may be none. */
    public static CustomMetadata of(byte[] bytes) {
        return new CustomMetadata(bytes.clone());
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** How many bytes there are. */
    public int size() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CustomMetadata that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The size only: the bytes may name objects or carry keys. */
    @Override
    public String toString() {
        return "CustomMetadata[" + bytes.length + " bytes]";
    }
}
