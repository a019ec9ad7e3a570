package dev.shelfmark.kafka;

import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/** Values that Kafka's config providers should have replaced. */
public final class Placeholders {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([A-Za-z0-9_.-]+):[^}]+\\}");

    private Placeholders() {}

    /**
     * Refuses a value that still is a placeholder, which would be taken for the user, the password or the URL itself.
     *
     * @param prefix of the keys, for the message
     * @throws ConfigException naming the key and the provider that is missing
     */
    public static void refuseUnresolved(Map<String, ?> given, String prefix) {
        for (String key : new TreeSet<>(given.keySet())) {
            Matcher found = PLACEHOLDER.matcher(String.valueOf(given.get(key)));
            if (found.find()) {
                String provider = found.group(1);
                throw new ConfigException("Invalid value for configuration " + prefix + key
                        + ": it still has the placeholder of a config provider, '" + provider
                        + "', that the file does not define; add it to config.providers and name its class in"
                        + " config.providers." + provider + ".class");
            }
        }
    }
}
