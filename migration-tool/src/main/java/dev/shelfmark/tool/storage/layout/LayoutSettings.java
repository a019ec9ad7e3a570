package dev.shelfmark.tool.storage.layout;

import java.util.List;

/**
 * What an operator says of the RemoteStorageManager's configuration.
 *
 * @param customMetadata the fields of custom metadata that it keeps with each segment, as it names them; none when it keeps none
 */
public record LayoutSettings(List<String> customMetadata) {

    public LayoutSettings {
        customMetadata = List.copyOf(customMetadata);
    }
}
