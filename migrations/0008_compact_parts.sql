-- A wide part has some 150 files; making and removing them for every insert took a tenth of the machine (the search for
-- free inodes among those just removed, docs/decisions/0010-ingest.md). What an insert writes is compact; what merges
-- make of it is wide from 128 MiB on, so that lists of a large project still read single columns.
ALTER TABLE calls MODIFY SETTING min_bytes_for_wide_part = 134217728;

ALTER TABLE call_ids MODIFY SETTING min_bytes_for_wide_part = 134217728;

ALTER TABLE live_log MODIFY SETTING min_bytes_for_wide_part = 134217728;
