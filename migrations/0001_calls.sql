-- Calls. One whole row per call; see docs/decisions/0002-one-row-per-call.md for how a call's records meet in it.
CREATE TABLE IF NOT EXISTS calls
(
    project_id LowCardinality(String),
    id String CODEC(ZSTD(1)),

    -- how it started
    started_at DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
    trace_id String CODEC(ZSTD(1)),
    parent_id String CODEC(ZSTD(1)),
    thread_id String CODEC(ZSTD(1)),
    turn_id String CODEC(ZSTD(1)),
    op_name LowCardinality(String),
    wb_user_id LowCardinality(String),
    wb_run_id LowCardinality(String),
    wb_run_step Nullable(UInt64),
    attributes String CODEC(ZSTD(1)),
    inputs String CODEC(ZSTD(1)),
    input_refs Array(String) CODEC(ZSTD(1)),
    otel_dump String CODEC(ZSTD(1)),
    -- set only where the engine's JSON functions cannot read the bytes as sent (core/json/query-form.ts)
    attributes_query_form String CODEC(ZSTD(1)),
    inputs_query_form String CODEC(ZSTD(1)),

    -- how it ended; ended_at is NULL while it runs
    ended_at Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
    exception Nullable(String) CODEC(ZSTD(1)),
    output String CODEC(ZSTD(1)),
    summary String CODEC(ZSTD(1)),
    output_refs Array(String) CODEC(ZSTD(1)),
    wb_run_step_end Nullable(UInt64),
    output_query_form String CODEC(ZSTD(1)),
    summary_query_form String CODEC(ZSTD(1)),

    -- what it is called now
    display_name String CODEC(ZSTD(1)),

    -- which record each fact came from; version orders the rows of one call (core/call-facts.ts)
    start_version UInt128 CODEC(ZSTD(1)),
    end_version UInt128 CODEC(ZSTD(1)),
    name_version UInt128 CODEC(ZSTD(1)),
    version UInt128 CODEC(ZSTD(1)),
    is_deleted UInt8,
    -- 0: its start came in a start record, 1: in a complete record. Rows of the two kinds never replace each other
    -- by themselves: neither includes the other.
    origin UInt8,
    inserted_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta(8), ZSTD(1)),

    INDEX trace_id_bloom trace_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX parent_id_bloom parent_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version, is_deleted)
-- by month, but a clock that is off by centuries shares one partition: parts stay few whatever is sent
PARTITION BY if(started_at >= '2020-01-01 00:00:00' AND started_at < '2050-01-01 00:00:00', toYYYYMM(started_at), 0)
ORDER BY (project_id, started_at, id, origin)
SETTINGS index_granularity = 512, min_bytes_for_wide_part = 10485760;

-- Facts about calls that could not go straight into their row: they came before the start, or contradict what is
-- stored, or change it (a name, a deletion). From these the row can always be made again.
CREATE TABLE IF NOT EXISTS call_parts
(
    project_id LowCardinality(String),
    id String CODEC(ZSTD(1)),
    fact LowCardinality(String),
    version UInt128,
    body String CODEC(ZSTD(1)),
    inserted_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree ORDER BY (project_id, id, fact, version)
SETTINGS index_granularity = 512;

-- Where each call id is known: its rows in calls (by started_at and version) and its facts in call_parts.
CREATE TABLE IF NOT EXISTS call_ids
(
    project_id LowCardinality(String),
    id String CODEC(ZSTD(1)),
    is_part UInt8,
    started_at DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
    origin UInt8,
    version UInt128
)
ENGINE = ReplacingMergeTree ORDER BY (project_id, id, is_part, started_at, origin, version)
SETTINGS index_granularity = 512;

CREATE MATERIALIZED VIEW IF NOT EXISTS call_ids_from_calls TO call_ids AS
SELECT project_id, id, 0 AS is_part, started_at, origin, version FROM calls;

CREATE MATERIALIZED VIEW IF NOT EXISTS call_ids_from_parts TO call_ids AS
SELECT project_id, id, 1 AS is_part, toDateTime64(0, 6, 'UTC') AS started_at, 0 AS origin, version FROM call_parts;
