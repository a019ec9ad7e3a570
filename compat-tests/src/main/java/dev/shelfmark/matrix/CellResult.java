package dev.shelfmark.matrix;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a cell.
 *
 * @param cell the cell
 * @param done the steps that succeeded, in order
 * @param failed the step that failed, after which nothing was tried; null if all succeeded
 * @param failure why, in a line; null if all succeeded
 */
record CellResult(
        Cell cell,
        List<Step> done,
        @Nullable Step failed,
        @Nullable String failure) {

    CellResult {
        done = List.copyOf(done);
    }
}
