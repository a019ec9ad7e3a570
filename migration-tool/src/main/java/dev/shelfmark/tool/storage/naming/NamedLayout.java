package dev.shelfmark.tool.storage.naming;

import dev.shelfmark.tool.storage.layout.SegmentLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The object names of a layout that the command knows by its name. */
final class NamedLayout implements ObjectLayout {

    private final SegmentLayout layout;

    NamedLayout(SegmentLayout layout) {
        this.layout = layout;
    }

    @Override
    public String description() {
        return "'" + layout.name() + "'";
    }

    @Override
    public List<String> files() {
        return new ArrayList<>(layout.required());
    }

    @Override
    public List<String> keys(
            String prefix, String topic, UUID topicId, int partition, long startOffset, UUID segmentId) {
        return layout.keys(prefix, topic, topicId, partition, startOffset, segmentId);
    }

    @Override
    public Optional<ObjectName> parse(String key) {
        return layout.parse(key)
                .map(name -> new ObjectName(
                        name.segment().segmentId(), name.segment().topicId(), name.file()));
    }
}
