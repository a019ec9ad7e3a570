/** The objects of a remote storage: which segment each belongs to, and which belong to none. */
@NullMarked
package dev.shelfmark.audit.objects;

import org.jspecify.annotations.NullMarked;
