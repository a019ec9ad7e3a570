/**
 * Writes the catalogue back as records that Kafka's default metadata manager loads.
 *
 * {@link dev.shelfmark.tool.migrate.exporting.CatalogueExport} goes through the metadata partitions, {@link
 * dev.shelfmark.tool.migrate.exporting.PartitionPlan} decides what is missing, an {@link dev.shelfmark.tool.migrate.exporting.EventSink} takes it.
 */
@NullMarked
package dev.shelfmark.tool.migrate.exporting;

import org.jspecify.annotations.NullMarked;
