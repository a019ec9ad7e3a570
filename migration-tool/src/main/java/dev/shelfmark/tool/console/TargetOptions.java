package dev.shelfmark.tool.console;

import dev.shelfmark.tool.config.ConfigFile;
import dev.shelfmark.tool.config.Credentials;
import dev.shelfmark.tool.config.Target;
import dev.shelfmark.tool.failure.ToolFailure;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a store. */
public final class TargetOptions {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "The store's settings: a broker's server.properties as it is, or a file of the plugin's keys with"
                            + " or without their prefix rlmm.config.")
    private @Nullable Path config;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "Log in to the store as NAME instead of the user in the file, such as its schema's owner.")
    private @Nullable String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "Take the store's password from the first line of FILE; the environment variable "
                    + Credentials.PASSWORD_VARIABLE + " works too. Both win over the configuration file.")
    private @Nullable Path passwordFile;

    /** The store that they name; nothing is connected yet. */
    // Not required in picocli's terms: it would demand the option twice where a command has subcommands.
    public Target target(ToolContext surroundings) {
        if (config == null) {
            throw ToolFailure.usage("which store? Give --config FILE, such as a broker's server.properties");
        }
        Credentials credentials = Credentials.of(user, passwordFile, surroundings.environment());
        return Target.of(ConfigFile.read(config), credentials, surroundings.providers());
    }
}
