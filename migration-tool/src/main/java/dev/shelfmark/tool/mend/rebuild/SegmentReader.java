package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.storage.ObjectContents;
import dev.shelfmark.tool.storage.StoredObject;
import dev.shelfmark.tool.storage.layout.SegmentDescription;
import dev.shelfmark.tool.storage.layout.SegmentLayout;
import dev.shelfmark.tool.storage.layout.SegmentName;
import dev.shelfmark.tool.storage.layout.StoredSegment;
import dev.shelfmark.tool.storage.layout.UnreadableSegmentException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Judges a segment by its objects alone. Used by many threads. */
final class SegmentReader {

    private final SegmentLayout layout;
    private final ObjectContents contents;
    private final Instant latest;

    /**
     * A reader.
     *
     * @param latest what was written after it was written in the future
     */
    SegmentReader(SegmentLayout layout, ObjectContents contents, Instant latest) {
        this.layout = layout;
        this.contents = contents;
        this.latest = latest;
    }

    /** Reads a segment; nothing of it is read when its listing already tells that it does not count. */
    FoundSegment read(SegmentName name, Map<String, StoredObject> files, Optional<String> twice) {
        TreeSet<String> missing = new TreeSet<>(layout.required());
        missing.removeAll(files.keySet());
        if (!missing.isEmpty()) {
            return FoundSegment.troubled(
                    name,
                    SegmentAction.INCOMPLETE,
                    "missing: " + String.join(", ", missing) + "; there: "
                            + String.join(", ", new TreeSet<>(files.keySet())));
        }
        if (twice.isPresent()) {
            return FoundSegment.troubled(
                    name,
                    SegmentAction.UNREADABLE,
                    "two objects are its " + twice.get() + ", below different prefixes; choose one with --prefix");
        }
        StoredSegment segment = new StoredSegment(name, files);
        Instant modified = segment.lastModified();
        if (modified != null && modified.isAfter(latest)) {
            return FoundSegment.troubled(
                    name,
                    SegmentAction.CLOCK_SKEW,
                    "written at " + modified
                            + ", which is in the future: put this machine's or the storage's clock right,"
                            + " or allow for it with --clock-skew");
        }
        try {
            SegmentDescription description = layout.describe(segment, contents);
            return FoundSegment.described(name, description);
        } catch (UnreadableSegmentException e) {
            return FoundSegment.troubled(name, SegmentAction.UNREADABLE, String.valueOf(e.getMessage()));
        } catch (NoSuchFileException e) {
            return FoundSegment.troubled(
                    name, SegmentAction.UNREADABLE, "an object that was listed is not there: " + FileErrors.reason(e));
        } catch (IOException e) {
            throw ToolFailure.storage("can't read the objects of segment " + name + ": " + FileErrors.reason(e), e);
        }
    }
}
