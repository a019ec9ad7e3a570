package dev.shelfmark.compat.postgres;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/** A server that somebody else runs. */
final class GivenServer extends PostgresServer {

    private static final String PREFIX = "compat.postgres.";
    private static final int DEFAULT_PORT = 5432;

    private final String description;

    GivenServer(Address address) {
        super(address);
        this.description = "the given server " + address.url(address.database());
    }

    static Optional<Address> named() {
        return setting("url").map(url -> {
            if (!url.startsWith("jdbc:postgresql://")) {
                throw new IllegalStateException(
                        PREFIX + "url must have the form jdbc:postgresql://host:port/database, not " + url);
            }
            URI uri = URI.create(url.substring("jdbc:".length()));
            return new Address(
                    uri.getHost(),
                    uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                    uri.getPath().substring(1),
                    setting("user").orElse("postgres"),
                    setting("password").orElse(""));
        });
    }

    private static Optional<String> setting(String name) {
        String property = PREFIX + name;
        return Optional.ofNullable(System.getProperty(property))
                .or(() -> Optional.ofNullable(
                        System.getenv(property.replace('.', '_').toUpperCase(Locale.ROOT))))
                .filter(value -> !value.isBlank());
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public void close() {}
}
