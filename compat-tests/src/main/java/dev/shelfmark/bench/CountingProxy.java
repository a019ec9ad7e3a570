package dev.shelfmark.bench;

import dev.shelfmark.compat.FaultProxy;
import java.net.URI;

/**
 * A way to PostgreSQL that can be closed, and that counts what it carries.
 *
 * @param proxy the way
 * @param settings which lead over it
 */
record CountingProxy(FaultProxy proxy, Settings settings) implements AutoCloseable {

    /** The setting that leads to PostgreSQL. */
    static final String URL = Backend.MANAGER + "jdbc.url";

    static CountingProxy of(Settings direct) {
        URI server = URI.create(direct.text(URL).substring("jdbc:".length()));
        FaultProxy proxy = new FaultProxy(server.getHost(), server.getPort());
        String url = "jdbc:postgresql://" + proxy.host() + ":" + proxy.port() + server.getPath();
        return new CountingProxy(proxy, direct.with(URL, url));
    }

    @Override
    public void close() {
        proxy.close();
    }
}
