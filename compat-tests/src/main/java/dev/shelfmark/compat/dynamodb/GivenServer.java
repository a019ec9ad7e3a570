package dev.shelfmark.compat.dynamodb;

import java.net.URI;
import java.util.Optional;

/** A server that somebody else runs. */
record GivenServer(URI endpoint) implements DynamoDbServer {

    /** The endpoint that a property or a variable names. */
    static Optional<URI> named() {
        return Optional.ofNullable(System.getProperty("compat.dynamodb.endpoint"))
                .or(() -> Optional.ofNullable(System.getenv("COMPAT_DYNAMODB_ENDPOINT")))
                .filter(endpoint -> !endpoint.isBlank())
                .map(URI::create);
    }

    @Override
    public String description() {
        return "the given endpoint " + endpoint;
    }

    @Override
    public void close() {}
}
