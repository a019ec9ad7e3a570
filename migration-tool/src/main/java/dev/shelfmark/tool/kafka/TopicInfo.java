package dev.shelfmark.tool.kafka;

/**
 * What an import wants to know of a topic.
 *
 * @param name its name
 * @param tiered whether remote storage is enabled for it
 * @param retentionMs how long its records are kept, in milliseconds, or -1 for ever
 * @param copyDisabled whether no more segments are copied to the remote storage
 */
public record TopicInfo(String name, boolean tiered, long retentionMs, boolean copyDisabled) {}
