package dev.shelfmark.compat.dynamodb;

import java.net.URI;

/** A server that somebody else runs. */
record GivenServer(URI endpoint) implements DynamoDbServer {

    @Override
    public String description() {
        return "the given endpoint " + endpoint;
    }

    @Override
    public void close() {}
}
