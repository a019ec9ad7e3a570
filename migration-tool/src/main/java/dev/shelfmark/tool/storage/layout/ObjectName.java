package dev.shelfmark.tool.storage.layout;

/**
 * What an object's key says.
 *
 * @param segment the segment that it belongs to
 * @param file which of the segment's files it is
 */
public record ObjectName(SegmentName segment, String file) {}
