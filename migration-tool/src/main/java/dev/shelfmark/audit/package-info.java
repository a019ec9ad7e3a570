/**
 * The audit: what the catalogue holds, and whether it is true. Reads with an auditor's rights, page by page, and changes nothing.
 *
 * <pre>
 *   topics  partitions  segments  history  lookup      check  orphans  report      the commands, one class each
 *        │                                               │       │        │
 *        │                                         audit.check   │   audit.report   anomalies, a class for each rule; the HTML file
 *        │                                               │   audit.objects          object keys, listings of buckets, what is orphaned
 *        ▼                                               ▼       ▼
 *   audit.walk      partitions and segments one after another, filtered, in bounded memory
 *        ▼
 *   CatalogueListing (all of it)    CatalogueStore.read (one partition at one version)
 * </pre>
 */
@NullMarked
package dev.shelfmark.audit;

import org.jspecify.annotations.NullMarked;
