package dev.shelfmark.bench;

/**
 * The indexes and keys of the table of segments, taken away while it is filled and made again, as the schema has them, when it is full: ten
 * million rows are then there in a fraction of the time. Both are for the server's administrator.
 */
final class DeferredIndexes {

    /** Writes down how each is made, and takes it away. */
    static final String TAKE = """
            create table public.put_off as
              select 2 as turn,
                     format('alter table shelfmark.segment drop constraint %I', conname) as take,
                     format('alter table shelfmark.segment add constraint %I %s', conname, pg_get_constraintdef(oid)) as make
              from pg_constraint
              where conrelid = 'shelfmark.segment'::regclass and contype in ('p', 'f')
              union all
              select 1, format('drop index shelfmark.%I', indexname), indexdef
              from pg_indexes
              where schemaname = 'shelfmark' and tablename = 'segment'
                and indexname not in (select conname from pg_constraint where conrelid = 'shelfmark.segment'::regclass);
            do $$
            declare
              one record;
            begin
              for one in select take from public.put_off order by turn loop
                execute one.take;
              end loop;
            end $$
            """;

    /** Makes what was taken away. */
    static final String MAKE = """
            set maintenance_work_mem = '512MB';
            do $$
            declare
              one record;
            begin
              for one in select make from public.put_off order by turn loop
                execute one.make;
              end loop;
            end $$;
            drop table public.put_off
            """;

    private DeferredIndexes() {}
}
