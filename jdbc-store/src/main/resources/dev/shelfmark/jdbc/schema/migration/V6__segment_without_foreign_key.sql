-- A segment's row no longer checks that its partition is there: the statement that inserts it has just written the partition's row, and
-- holds its lock to the end of the transaction, a load's as well as a commit's. The check told nobody anything, and took as long as all of
-- the rest when millions of segments were copied in.
--
-- epoch_highest_offset keeps its foreign key: few rows are inserted there, and it keeps a partition that ever had a finished segment from
-- being deleted by hand, and topic_partition from being truncated.
alter table segment drop constraint segment_partition_id_fkey;
