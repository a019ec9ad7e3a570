package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.storage.layout.LayoutSettings;
import dev.shelfmark.tool.storage.layout.SegmentLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how the segments are laid out. */
final class LayoutOptions {

    @Option(
            names = "--layout",
            paramLabel = "NAME",
            description = "How the RemoteStorageManager lays its objects out: aiven, directory (of the quickstart) or"
                    + " local-tiered-storage (Kafka's own), or that of a jar in lib/.")
    private @Nullable String layout;

    @Option(
            names = "--aiven-custom-metadata",
            paramLabel = "FIELD",
            split = ",",
            description =
                    "With the layout aiven: what its custom.metadata.fields.include says, of REMOTE_SIZE, OBJECT_PREFIX and"
                            + " OBJECT_KEY. The default is none, as the plugin's.")
    private List<String> aivenCustomMetadata = new ArrayList<>();

    /** The layout that they name. */
    SegmentLayout layout() {
        Map<String, SegmentLayout> layouts = SegmentLayout.all();
        if (layout == null) {
            throw ToolFailure.usage("how are the segments laid out? Give --layout with one of " + layouts.keySet());
        }
        SegmentLayout chosen = layouts.get(layout);
        if (chosen == null) {
            throw ToolFailure.usage("--layout: there is no layout '" + layout + "'; there are " + layouts.keySet());
        }
        if (!aivenCustomMetadata.isEmpty() && !chosen.name().equals("aiven")) {
            throw ToolFailure.usage("--aiven-custom-metadata is for --layout aiven");
        }
        try {
            return chosen.with(new LayoutSettings(aivenCustomMetadata));
        } catch (IllegalArgumentException e) {
            throw ToolFailure.usage("--aiven-custom-metadata: " + e.getMessage(), e);
        }
    }
}
