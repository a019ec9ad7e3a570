package dev.shelfmark.tool.config;

import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * The plugin's settings from a properties file: a broker's {@code server.properties} as it is, or a file of those settings
 * alone. When any key carries the prefix that a broker gives to the plugin, only keys with it count.
 */
public final class ConfigFile {

    private static final String PREFIX_KEY = "remote.log.metadata.manager.impl.prefix";
    private static final String DEFAULT_PREFIX = "rlmm.config.";

    private final Path path;
    private final Map<String, Object> settings;

    private ConfigFile(Path path, Map<String, Object> settings) {
        this.path = path;
        this.settings = settings;
    }

    /** Reads it; placeholders such as {@code ${file:/secrets:password}} are resolved as a broker does. */
    public static ConfigFile read(Path path) {
        Properties properties = properties(path);
        Map<String, Object> all = new TreeMap<>();
        properties.stringPropertyNames().forEach(key -> all.put(key, properties.getProperty(key)));
        Map<String, Object> resolved;
        try {
            resolved = new AbstractConfig(new ConfigDef(), all, false).originals();
        } catch (RuntimeException e) {
            throw ToolFailure.usage("the placeholders in " + path + " can't be resolved: " + e.getMessage(), e);
        }
        String prefix = String.valueOf(resolved.getOrDefault(PREFIX_KEY, DEFAULT_PREFIX));
        Map<String, Object> prefixed = new TreeMap<>();
        resolved.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                prefixed.put(key.substring(prefix.length()), value);
            }
        });
        return new ConfigFile(path, prefixed.isEmpty() ? resolved : prefixed);
    }

    /** A properties file as it is. */
    public static Properties properties(Path path) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw ToolFailure.usage("there is no file " + path, e);
        } catch (IOException e) {
            throw ToolFailure.usage("the file " + path + " can't be read: " + FileErrors.reason(e), e);
        } catch (IllegalArgumentException e) {
            // The message of a malformed escape holds no part of the file.
            throw ToolFailure.usage("the file " + path + " can't be read as properties: " + e.getMessage(), e);
        }
        return properties;
    }

    Path path() {
        return path;
    }

    /** By key, without the broker's prefix. */
    Map<String, Object> settings() {
        return settings;
    }
}
