-- The schema as all migrations leave it, to read; made by `npm run generate` out of a real engine.
-- Never run this file: the numbered ones are what Heddle applies.

CREATE TABLE api_keys
(
    `key_hash` String,
    `key_id` String,
    `user_id` String,
    `name` String,
    `created_at` DateTime64(6, 'UTC'),
    `changed_at` DateTime64(6, 'UTC'),
    `is_deleted` UInt8 DEFAULT 0,
    `kind` LowCardinality(String) DEFAULT 'key',
    `expires_at` Nullable(DateTime64(6, 'UTC')),
    `begun_with` String
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted)
ORDER BY key_hash
TTL toDateTime(assumeNotNull(expires_at)) + toIntervalDay(1) WHERE isNotNull(expires_at)
SETTINGS index_granularity = 8192;

CREATE TABLE call_ids
(
    `project_id` LowCardinality(String),
    `id` String CODEC(ZSTD(1)),
    `is_part` UInt8,
    `started_at` DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
    `origin` UInt8,
    `version` UInt128
)
ENGINE = ReplacingMergeTree
ORDER BY (project_id, id, is_part, started_at, origin, version)
SETTINGS index_granularity = 512, min_bytes_for_wide_part = 134217728;

CREATE MATERIALIZED VIEW call_ids_from_calls TO call_ids
(
    `project_id` LowCardinality(String),
    `id` String,
    `is_part` UInt8,
    `started_at` DateTime64(6, 'UTC'),
    `origin` UInt8,
    `version` UInt128
)
AS SELECT
    project_id,
    id,
    0 AS is_part,
    started_at,
    origin,
    version
FROM calls;

CREATE MATERIALIZED VIEW call_ids_from_parts TO call_ids
(
    `project_id` LowCardinality(String),
    `id` String,
    `is_part` UInt8,
    `started_at` DateTime64(6, 'UTC'),
    `origin` UInt8,
    `version` UInt128
)
AS SELECT
    project_id,
    id,
    1 AS is_part,
    toDateTime64(0, 6, 'UTC') AS started_at,
    0 AS origin,
    version
FROM call_parts;

CREATE TABLE call_parts
(
    `project_id` LowCardinality(String),
    `id` String CODEC(ZSTD(1)),
    `fact` LowCardinality(String),
    `version` UInt128,
    `body` String CODEC(ZSTD(1)),
    `inserted_at` DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree
ORDER BY (project_id, id, fact, version)
SETTINGS index_granularity = 512;

CREATE TABLE calls
(
    `project_id` LowCardinality(String),
    `id` String CODEC(ZSTD(1)),
    `started_at` DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
    `trace_id` String CODEC(ZSTD(1)),
    `parent_id` String CODEC(ZSTD(1)),
    `thread_id` String CODEC(ZSTD(1)),
    `turn_id` String CODEC(ZSTD(1)),
    `op_name` LowCardinality(String),
    `wb_user_id` LowCardinality(String),
    `wb_run_id` LowCardinality(String),
    `wb_run_step` Nullable(UInt64),
    `attributes` String CODEC(ZSTD(1)),
    `inputs` String CODEC(ZSTD(1)),
    `input_refs` Array(String) CODEC(ZSTD(1)),
    `otel_dump` String CODEC(ZSTD(1)),
    `attributes_query_form` String CODEC(ZSTD(1)),
    `inputs_query_form` String CODEC(ZSTD(1)),
    `ended_at` Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
    `exception` Nullable(String) CODEC(ZSTD(1)),
    `output` String CODEC(ZSTD(1)),
    `summary` String CODEC(ZSTD(1)),
    `output_refs` Array(String) CODEC(ZSTD(1)),
    `wb_run_step_end` Nullable(UInt64),
    `output_query_form` String CODEC(ZSTD(1)),
    `summary_query_form` String CODEC(ZSTD(1)),
    `display_name` String CODEC(ZSTD(1)),
    `start_version` UInt128 CODEC(ZSTD(1)),
    `end_version` UInt128 CODEC(ZSTD(1)),
    `name_version` UInt128 CODEC(ZSTD(1)),
    `version` UInt128 CODEC(ZSTD(1)),
    `is_deleted` UInt8,
    `origin` UInt8,
    `inserted_at` DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta(8), ZSTD(1)),
    `leaves` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    `usage` Array(Tuple(
        model LowCardinality(String),
        prompt UInt32,
        completion UInt32,
        total Nullable(UInt32),
        cache_read UInt32,
        cache_creation UInt32,
        plain_prompt UInt32,
        reported Nullable(Decimal(76, 36)))) CODEC(ZSTD(1)),
    `usage_kept` UInt8 CODEC(ZSTD(1)),
    INDEX trace_id_bloom trace_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX parent_id_bloom parent_id TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX inserted_at_range inserted_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY if((started_at >= '2020-01-01 00:00:00') AND (started_at < '2050-01-01 00:00:00'), toYYYYMM(started_at), 0)
ORDER BY (project_id, started_at, id, origin)
SETTINGS index_granularity = 512, min_bytes_for_wide_part = 134217728, map_serialization_version = 'with_buckets', map_serialization_version_for_zero_level_parts = 'basic', map_buckets_strategy = 'constant', max_buckets_in_map = 32, map_buckets_min_avg_size = 1;

CREATE TABLE data_tables
(
    `project_id` LowCardinality(String),
    `digest` String,
    `row_digests` Array(String) CODEC(ZSTD(1)),
    `created_at` DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(created_at)
ORDER BY (project_id, digest)
SETTINGS index_granularity = 64;

CREATE TABLE feedback
(
    `project_id` String,
    `id` String,
    `weave_ref` String,
    `wb_user_id` String,
    `creator` Nullable(String),
    `created_at` DateTime64(6, 'UTC'),
    `feedback_type` LowCardinality(String),
    `payload` String CODEC(ZSTD(1)),
    `payload_query_form` String CODEC(ZSTD(1)),
    `annotation_ref` Nullable(String),
    `runnable_ref` Nullable(String),
    `call_ref` Nullable(String),
    `trigger_ref` Nullable(String),
    `queue_id` Nullable(String),
    `scorer_tags` Array(String),
    `scorer_tag_reasons` String CODEC(ZSTD(1)),
    `scorer_tag_confidences` String CODEC(ZSTD(1)),
    `scorer_ratings` String CODEC(ZSTD(1)),
    `scorer_rating_reasons` String CODEC(ZSTD(1)),
    `scorer_rating_confidences` String CODEC(ZSTD(1)),
    `span_agent_name` String,
    `span_agent_version` String,
    `span_status_code` LowCardinality(String),
    `span_conversation_id` String,
    `span_trace_id` String,
    `scorer_trace_id` String,
    `version` UInt64,
    `is_deleted` UInt8,
    INDEX by_weave_ref weave_ref TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (project_id, id)
SETTINGS index_granularity = 256;

CREATE TABLE files
(
    `project_id` LowCardinality(String),
    `digest` String,
    `chunk` UInt32,
    `chunks` UInt32,
    `data` String CODEC(ZSTD(1)),
    `created_at` DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(created_at)
ORDER BY (project_id, digest, chunk)
SETTINGS index_granularity = 16, min_bytes_for_wide_part = 10485760;

CREATE TABLE live_log
(
    `project_id` LowCardinality(String),
    `id` String CODEC(ZSTD(1)),
    `noun` LowCardinality(String),
    `is_deleted` UInt8,
    `version` UInt128 CODEC(ZSTD(1)),
    `says` UInt64 CODEC(ZSTD(1)),
    `trace_id` String CODEC(ZSTD(1)),
    `parent_id` String CODEC(ZSTD(1)),
    `thread_id` String CODEC(ZSTD(1)),
    `op_name` LowCardinality(String),
    `display_name` String CODEC(ZSTD(1)),
    `started_at` DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
    `ended_at` Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
    `has_exception` UInt8,
    `feedback_type` LowCardinality(String),
    `weave_ref` String CODEC(ZSTD(1)),
    `wb_user_id` LowCardinality(String),
    `logged_at` DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
    INDEX logged_at_range logged_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toStartOfHour(logged_at)
ORDER BY (project_id, id)
TTL toDateTime(logged_at) + toIntervalDay(1)
SETTINGS index_granularity = 512, ttl_only_drop_parts = 1, enable_block_number_column = 1, enable_block_offset_column = 1, min_bytes_for_wide_part = 134217728;

CREATE MATERIALIZED VIEW live_log_from_calls TO live_log
(
    `project_id` LowCardinality(String),
    `id` String,
    `noun` String,
    `is_deleted` UInt8,
    `version` UInt128,
    `says` UInt64,
    `trace_id` String,
    `parent_id` String,
    `thread_id` String,
    `op_name` LowCardinality(String),
    `display_name` String,
    `started_at` DateTime64(6, 'UTC'),
    `ended_at` Nullable(DateTime64(6, 'UTC')),
    `has_exception` UInt8,
    `wb_user_id` LowCardinality(String),
    `logged_at` DateTime64(6)
)
AS SELECT
    project_id,
    id,
    'call' AS noun,
    is_deleted,
    version,
    sipHash64(start_version, end_version, name_version) AS says,
    trace_id,
    parent_id,
    thread_id,
    op_name,
    display_name,
    started_at,
    ended_at,
    isNotNull(exception) AS has_exception,
    wb_user_id,
    now64(6) AS logged_at
FROM calls
WHERE (is_deleted = 0) OR (bitShiftRight(version, 112) = 65535);

CREATE MATERIALIZED VIEW live_log_from_feedback TO live_log
(
    `project_id` String,
    `id` String,
    `noun` String,
    `is_deleted` UInt8,
    `version` UInt128,
    `says` UInt128,
    `feedback_type` LowCardinality(String),
    `weave_ref` String,
    `wb_user_id` String,
    `logged_at` DateTime64(6)
)
AS SELECT
    project_id,
    id,
    'feedback' AS noun,
    is_deleted,
    toUInt128(version) AS version,
    version AS says,
    feedback_type,
    weave_ref,
    wb_user_id,
    now64(6) AS logged_at
FROM feedback;

CREATE TABLE members
(
    `user_id` String,
    `entity` String,
    `project` String,
    `role` LowCardinality(String),
    `changed_at` DateTime64(6, 'UTC'),
    `is_deleted` UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted)
ORDER BY (user_id, entity, project)
SETTINGS index_granularity = 8192;

CREATE TABLE object_labels
(
    `project_id` LowCardinality(String),
    `object_id` String CODEC(ZSTD(1)),
    `kind` LowCardinality(String),
    `label` String,
    `tagged` String,
    `digest` String,
    `wb_user_id` LowCardinality(String),
    `created_at` DateTime64(6, 'UTC'),
    `is_deleted` UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(created_at, is_deleted)
ORDER BY (project_id, object_id, kind, label, tagged)
SETTINGS index_granularity = 512;

CREATE TABLE object_versions
(
    `project_id` LowCardinality(String),
    `object_id` String CODEC(ZSTD(1)),
    `digest` String CODEC(ZSTD(1)),
    `created_at` SimpleAggregateFunction(min, DateTime64(6, 'UTC')),
    `created_by` SimpleAggregateFunction(min, String) CODEC(ZSTD(1)),
    `published_at` SimpleAggregateFunction(max, DateTime64(6, 'UTC')),
    `deleted_at` SimpleAggregateFunction(max, DateTime64(6, 'UTC')),
    `kind` SimpleAggregateFunction(max, String),
    `base_object_class` SimpleAggregateFunction(max, String),
    `leaf_object_class` SimpleAggregateFunction(max, String),
    `size_bytes` SimpleAggregateFunction(max, UInt64),
    `val` SimpleAggregateFunction(max, String) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (project_id, object_id, digest)
SETTINGS index_granularity = 512, min_bytes_for_wide_part = 10485760;

CREATE TABLE prices
(
    `project_id` String,
    `id` String,
    `llm_id` String,
    `provider_id` String,
    `prompt_token_cost` String,
    `completion_token_cost` String,
    `cache_read_input_token_cost` String,
    `cache_creation_input_token_cost` String,
    `prompt_token_cost_unit` LowCardinality(String),
    `completion_token_cost_unit` LowCardinality(String),
    `effective_date` DateTime64(6, 'UTC'),
    `pricing_level` LowCardinality(String),
    `created_by` String,
    `created_at` DateTime64(6, 'UTC'),
    `version` UInt64,
    `is_deleted` UInt8
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (project_id, id)
SETTINGS index_granularity = 1024;

CREATE TABLE projects
(
    `project_id` String,
    `created_by` String,
    `created_at` DateTime64(6, 'UTC'),
    `changed_at` DateTime64(6, 'UTC'),
    `is_deleted` UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted)
ORDER BY project_id
SETTINGS index_granularity = 8192;

CREATE TABLE queue_claims
(
    `project_id` String,
    `queue_id` String,
    `call_id` String,
    `user_id` String,
    `seconds` UInt32,
    `claimed_at` DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC')
)
ENGINE = MergeTree
ORDER BY (project_id, queue_id, call_id)
TTL toDateTime(claimed_at) + toIntervalDay(1)
SETTINGS index_granularity = 256, enable_block_number_column = 1, enable_block_offset_column = 1;

CREATE TABLE queue_items
(
    `project_id` String,
    `queue_id` String,
    `call_id` String,
    `position` UInt64,
    `added_by` String,
    `added_at` DateTime64(6, 'UTC'),
    `done_by` String,
    `done_at` Nullable(DateTime64(6, 'UTC')),
    `skipped_by` Array(String),
    `version` UInt64,
    `is_deleted` UInt8
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (project_id, queue_id, call_id)
SETTINGS index_granularity = 1024;

CREATE TABLE queues
(
    `project_id` String,
    `id` String,
    `name` String,
    `description` String,
    `scores` Array(String),
    `created_by` String,
    `created_at` DateTime64(6, 'UTC'),
    `version` UInt64,
    `is_deleted` UInt8
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (project_id, id)
SETTINGS index_granularity = 8192;

CREATE TABLE quotas
(
    `kind` LowCardinality(String),
    `subject` String,
    `calls_per_second` Nullable(UInt64),
    `bytes_per_second` Nullable(UInt64),
    `changed_at` DateTime64(6, 'UTC'),
    `is_deleted` UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted)
ORDER BY (kind, subject)
SETTINGS index_granularity = 8192;

CREATE TABLE schema_migrations
(
    `version` UInt32,
    `name` String,
    `checksum` String,
    `applied_at` DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(applied_at)
ORDER BY version
SETTINGS index_granularity = 8192;

CREATE TABLE table_rows
(
    `project_id` LowCardinality(String),
    `digest` String,
    `val` String CODEC(ZSTD(1)),
    `query_form` String CODEC(ZSTD(1)),
    `created_at` DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(created_at)
ORDER BY (project_id, digest)
SETTINGS index_granularity = 256, min_bytes_for_wide_part = 10485760;

CREATE TABLE users
(
    `username` String,
    `user_id` String,
    `password_hash` String,
    `is_server_admin` Bool,
    `created_at` DateTime64(6, 'UTC'),
    `changed_at` DateTime64(6, 'UTC'),
    `is_deleted` UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted)
ORDER BY username
SETTINGS index_granularity = 8192;
