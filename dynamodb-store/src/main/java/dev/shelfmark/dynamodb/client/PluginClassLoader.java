package dev.shelfmark.dynamodb.client;

import java.util.function.Supplier;

/**
 * The SDK looks for its parts, such as the one for web identities, by the thread's class loader. On a broker that may be the
 * broker's, which has no SDK; so ours is set around every call.
 */
final class PluginClassLoader {

    private PluginClassLoader() {}

    static <T> T call(Supplier<T> call) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(PluginClassLoader.class.getClassLoader());
        try {
            return call.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
