package dev.shelfmark.store;

import java.util.Map;

/**
 * What a store is opened with.
 *
 * @param config the values of {@link StoreProvider#configDef()}, parsed and checked
 * @param retention how long the records of deleted segments and the history are kept
 * @param applicationName who connects, for the back end's own listings, such as {@code shelfmark-broker-3}
 * @param listener is told what the store does
 */
public record StoreContext(
        Map<String, Object> config, Retention retention, String applicationName, StoreListener listener) {

    /** The names of the settings only: values may be secrets. */
    @Override
    public String toString() {
        return "StoreContext[" + applicationName + ", settings " + config.keySet() + "]";
    }
}
