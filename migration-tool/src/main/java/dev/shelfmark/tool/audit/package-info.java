/**
 * The audit: what the catalogue holds, and whether it is consistent. Reads with an auditor's rights, page by page, and changes nothing but, on request, orphaned objects.
 *
 * <pre>
 *   topics  partitions  segments  history  lookup    check   orphans   report     the commands, one class each
 *        │                                             │        │         │
 *        │                                           check   orphans   report     anomalies, a class for each rule; objects without rows; the HTML file
 *        ▼                                             ▼        ▼         ▼
 *   walk     partitions and segments one after another, filtered, in bounded memory
 *        ▼
 *   CatalogueListing (all of it)    CatalogueStore.read (one partition at one version)
 * </pre>
 */
@NullMarked
package dev.shelfmark.tool.audit;

import org.jspecify.annotations.NullMarked;
