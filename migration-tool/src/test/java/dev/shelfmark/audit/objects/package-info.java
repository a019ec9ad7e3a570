@NullMarked
package dev.shelfmark.audit.objects;

import org.jspecify.annotations.NullMarked;
