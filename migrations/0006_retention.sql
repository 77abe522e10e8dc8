-- How long the calls of a project are kept (docs/decisions/0019-retention.md). NULL: no limit.
CREATE TABLE IF NOT EXISTS retention_policies
(
    project_id String,
    -- Limits of whole calls: age, and bytes of payloads as sent.
    calls_max_age_seconds Nullable(UInt64),
    calls_max_bytes Nullable(UInt64),
    -- Limits of payloads: the call stays with its metrics, the text goes.
    payloads_max_age_seconds Nullable(UInt64),
    payloads_max_bytes Nullable(UInt64),
    -- Traces with a call that has one of these tags are kept.
    keep_tags Array(String),
    changed_by String,
    changed_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted)
ORDER BY project_id;

-- Calls that one run of retention must keep, or one erasure removes. A mutation evaluates its condition for every part and
-- stores it as text, so the list is computed once and stands here.
CREATE TABLE IF NOT EXISTS selected_calls
(
    project_id String,
    run_id String,
    id String CODEC(ZSTD(1)),
    added_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = MergeTree
ORDER BY (project_id, run_id, id)
TTL toDateTime(added_at) + toIntervalDay(1)
SETTINGS index_granularity = 512;

-- Log of deletions that remove rows without writing others, so that caches notice them.
CREATE TABLE IF NOT EXISTS call_deletions
(
    project_id String,
    run_id String,
    -- 'retention', 'disk' or 'erasure'.
    reason LowCardinality(String),
    calls UInt64,
    payloads UInt64,
    deleted_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = MergeTree
ORDER BY (project_id, deleted_at)
TTL toDateTime(deleted_at) + toIntervalDay(400);

-- Receipts of `heddle erase`. They survive the deletion of the project, so they are no data of it.
CREATE TABLE IF NOT EXISTS erasures
(
    erasure_id String,
    -- The receipt as it was printed, JSON.
    receipt String CODEC(ZSTD(1)),
    erased_at DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY erasure_id;

-- Log of claims on background jobs of which only one may run at a time (src/store/jobs/leases.ts).
CREATE TABLE IF NOT EXISTS job_claims
(
    job LowCardinality(String),
    owner String,
    -- 0 releases the job.
    seconds UInt32,
    claimed_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC')
)
ENGINE = MergeTree
ORDER BY job
TTL toDateTime(claimed_at) + toIntervalDay(1)
SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1;

-- Completed runs of background jobs.
CREATE TABLE IF NOT EXISTS job_runs
(
    job LowCardinality(String),
    owner String,
    started_at DateTime64(6, 'UTC'),
    finished_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC'),
    error String
)
ENGINE = MergeTree
ORDER BY (job, finished_at)
TTL toDateTime(finished_at) + toIntervalDay(90);

-- Whether retention has removed the payloads of this row.
ALTER TABLE calls ADD COLUMN IF NOT EXISTS payload_expired UInt8 DEFAULT 0;
