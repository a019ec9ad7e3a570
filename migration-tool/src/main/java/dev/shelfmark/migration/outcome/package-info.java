/**
 * How a run of the command ends: exit codes, and failures told in one clear line.
 *
 * <p>Every package of the tool throws {@link dev.shelfmark.migration.outcome.ToolFailure}; the command line alone prints it.
 */
@NullMarked
package dev.shelfmark.migration.outcome;

import org.jspecify.annotations.NullMarked;
