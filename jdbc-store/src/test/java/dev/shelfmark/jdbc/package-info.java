/**
 * What is PostgreSQL's own: plans, rights, migrations, failures, limits. Called by the build; below lies a real server, started once
 * for each run. The contract of the SPI itself is tested by the compatibility suite.
 */
@NullMarked
package dev.shelfmark.jdbc;

import org.jspecify.annotations.NullMarked;
