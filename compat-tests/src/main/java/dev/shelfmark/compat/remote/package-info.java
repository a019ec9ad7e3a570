/**
 * A remote tier made of files, for real brokers in tests and in the quickstart.
 *
 * <p>A broker loads {@link dev.shelfmark.compat.remote.FileSystemRemoteStorageManager} through
 * {@code remote.log.storage.manager.class.path}, so nothing here may need more than the JDK and what a broker has. Tests stand on
 * the other side of two directories: they look at the files, and steer the storage through marker files.
 */
@NullMarked
package dev.shelfmark.compat.remote;

import org.jspecify.annotations.NullMarked;
