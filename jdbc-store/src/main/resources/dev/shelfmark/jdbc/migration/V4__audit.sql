-- Looking at what the catalogue holds, without a broker and without being in the way of one.

-- Deleted segments in the order of a listing, for pages of bounded cost. Only deleted rows have an entry, so it costs one insertion in a
-- segment's life and stays as small as the retention of deleted rows keeps it. The live ones are listed by segment_live_start.
create index segment_deleted_start on segment (partition_id, start_offset, segment_id) where deleted_at is not null;
