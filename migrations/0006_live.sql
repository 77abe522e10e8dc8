-- What the live feed tells (docs/decisions/0009-live-feed.md): one narrow row for each row that is written into calls
-- or feedback, in the order in which they became visible. The engine numbers the blocks of an insert under the lock
-- that makes them visible, and keeps number and offset through merges: together they are a cursor without gaps.
CREATE TABLE IF NOT EXISTS live_log
(
    project_id LowCardinality(String),
    id String CODEC(ZSTD(1)),
    -- 'call' or 'feedback'
    noun LowCardinality(String),
    is_deleted UInt8,
    -- of two rows of one record readers see the one with the higher version
    version UInt128 CODEC(ZSTD(1)),
    -- the same for rows that tell readers the same
    says UInt64 CODEC(ZSTD(1)),

    -- calls
    trace_id String CODEC(ZSTD(1)),
    parent_id String CODEC(ZSTD(1)),
    thread_id String CODEC(ZSTD(1)),
    op_name LowCardinality(String),
    display_name String CODEC(ZSTD(1)),
    started_at DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
    ended_at Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
    has_exception UInt8,

    -- feedback
    feedback_type LowCardinality(String),
    weave_ref String CODEC(ZSTD(1)),

    -- both
    wb_user_id LowCardinality(String),
    -- when the insert began, by the engine's clock
    logged_at DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),

    INDEX logged_at_range logged_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
-- By the hour, so that what is too old goes by whole parts and a poll looks only at parts of the last minutes. Within
-- an hour by id: whether an id was told before is asked for every event.
PARTITION BY toStartOfHour(logged_at)
ORDER BY (project_id, id)
TTL toDateTime(logged_at) + INTERVAL 1 DAY
SETTINGS index_granularity = 512, ttl_only_drop_parts = 1, enable_block_number_column = 1, enable_block_offset_column = 1;

-- A row that only hides another place of a call that lives on says nothing; one that hides a deleted call has the
-- highest rank there is.
CREATE MATERIALIZED VIEW IF NOT EXISTS live_log_from_calls TO live_log AS
SELECT project_id, id, 'call' AS noun, is_deleted, version, sipHash64(start_version, end_version, name_version) AS says,
    trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at, isNotNull(exception) AS has_exception,
    wb_user_id, now64(6) AS logged_at
FROM calls
WHERE is_deleted = 0 OR bitShiftRight(version, 112) = 65535;

CREATE MATERIALIZED VIEW IF NOT EXISTS live_log_from_feedback TO live_log AS
SELECT project_id, id, 'feedback' AS noun, is_deleted, toUInt128(version) AS version, version AS says, feedback_type, weave_ref, wb_user_id,
    now64(6) AS logged_at
FROM feedback;
