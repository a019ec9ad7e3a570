/**
 * The way back: what the catalogue says, as records that Kafka's default metadata manager loads.
 *
 * <p>{@link dev.shelfmark.migration.export.CatalogueExport} goes through the metadata partitions, {@link
 * dev.shelfmark.migration.export.PartitionPlan} decides what is missing, an {@link dev.shelfmark.migration.export.EventSink} takes it.
 */
@NullMarked
package dev.shelfmark.migration.export;

import org.jspecify.annotations.NullMarked;
