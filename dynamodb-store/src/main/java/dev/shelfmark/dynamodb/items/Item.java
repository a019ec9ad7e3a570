package dev.shelfmark.dynamodb.items;

import dev.shelfmark.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An item as it was read. Whatever is missing or of another type is corruption, and the message says where. */
public record Item(Map<String, AttributeValue> attributes) {

    public String sortKey() {
        return text(ItemKeys.SK);
    }

    public boolean has(String name) {
        return attributes.containsKey(name);
    }

    public String text(String name) {
        String text = attribute(name).s();
        if (text == null) {
            throw corrupt(name, "is not text", null);
        }
        return text;
    }

    public long number(String name) {
        return number(name, attribute(name).n());
    }

    public int integer(String name) {
        long number = number(name);
        if (number != (int) number) {
            throw corrupt(name, "is beyond 32 bits: " + number, null);
        }
        return (int) number;
    }

    boolean flag(String name) {
        Boolean flag = attribute(name).bool();
        if (flag == null) {
            throw corrupt(name, "is not a boolean", null);
        }
        return flag;
    }

    public Optional<byte[]> bytes(String name) {
        if (!has(name)) {
            return Optional.empty();
        }
        if (attribute(name).b() == null) {
            throw corrupt(name, "is not binary", null);
        }
        return Optional.of(attribute(name).b().asByteArray());
    }

    Map<String, AttributeValue> map(String name) {
        if (!attribute(name).hasM()) {
            throw corrupt(name, "is not a map", null);
        }
        return attribute(name).m();
    }

    List<AttributeValue> list(String name) {
        if (!attribute(name).hasL()) {
            throw corrupt(name, "is not a list", null);
        }
        return attribute(name).l();
    }

    /** A map within the item, read as an item of its own; what is wrong with it is told of this one. */
    Item within(Map<String, AttributeValue> map) {
        Map<String, AttributeValue> named = new HashMap<>(map);
        named.put(ItemKeys.PK, attribute(ItemKeys.PK));
        named.put(ItemKeys.SK, attribute(ItemKeys.SK));
        return new Item(named);
    }

    /** The constant of this name; one that this build does not know is never guessed. */
    public <E extends Enum<E>> E constant(String name, Class<E> type) {
        try {
            return Enum.valueOf(type, text(name));
        } catch (IllegalArgumentException e) {
            throw corrupt(name, "is '" + text(name) + "', which this build does not know", e);
        }
    }

    /** A number within an attribute, which the message names. */
    public long number(String name, @Nullable String digits) {
        try {
            return Long.parseLong(digits == null ? "" : digits);
        } catch (NumberFormatException e) {
            throw corrupt(name, "holds no whole number", e);
        }
    }

    public StoreException.Corrupt corrupt(String name, String what, @Nullable Throwable cause) {
        return new StoreException.Corrupt(
                "item " + key() + ": attribute " + name + " " + what + "; look at it before anything is changed",
                cause);
    }

    /** For items whose attributes contradict each other. */
    public StoreException.Corrupt corrupt(Throwable cause) {
        return new StoreException.Corrupt(
                "item " + key() + " contradicts itself: " + cause.getMessage()
                        + "; look at it before anything is changed",
                cause);
    }

    private String key() {
        return keyPart(ItemKeys.PK) + " " + keyPart(ItemKeys.SK);
    }

    private @Nullable String keyPart(String name) {
        AttributeValue value = attributes.get(name);
        return value == null ? null : value.s();
    }

    private AttributeValue attribute(String name) {
        AttributeValue value = attributes.get(name);
        if (value == null) {
            throw corrupt(name, "is missing", null);
        }
        return value;
    }
}
