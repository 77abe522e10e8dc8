-- The schema of the first release. Each statement can be repeated without harm, so a migration that was interrupted is
-- simply run again. Once applied, a file never changes: later changes are new files (src/store/database/migrations.ts).

-- ---------------------------------------------------------------------------------------------------------------------
-- Calls
-- ---------------------------------------------------------------------------------------------------------------------

-- One complete row per call. docs/decisions/0002-one-row-per-call.md describes how the records of a call are joined in it.
CREATE TABLE IF NOT EXISTS calls
(
    project_id LowCardinality(String),
    id String CODEC(ZSTD(1)),

    -- start
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
    -- set only where ClickHouse's JSON functions cannot read the bytes as sent (src/core/json/)
    attributes_normalized String CODEC(ZSTD(1)),
    inputs_normalized String CODEC(ZSTD(1)),

    -- end; ended_at is NULL while the call runs
    ended_at Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
    exception Nullable(String) CODEC(ZSTD(1)),
    output String CODEC(ZSTD(1)),
    summary String CODEC(ZSTD(1)),
    output_refs Array(String) CODEC(ZSTD(1)),
    wb_run_step_end Nullable(UInt64),
    output_normalized String CODEC(ZSTD(1)),
    summary_normalized String CODEC(ZSTD(1)),

    -- current name
    display_name String CODEC(ZSTD(1)),

    -- which record each fact came from; version orders the rows of one call (src/core/calls/call-facts.ts)
    start_version UInt128 CODEC(ZSTD(1)),
    end_version UInt128 CODEC(ZSTD(1)),
    name_version UInt128 CODEC(ZSTD(1)),
    version UInt128 CODEC(ZSTD(1)),
    is_deleted UInt8,
    -- A hash of the start and its sender. Only rows of equal starts may replace each other in a merge: of these, the one
    -- with the latest end includes the others.
    start_hash UInt32,
    inserted_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta(8), ZSTD(1)),

    -- Short values of the payloads, extracted at insert (src/core/json/json-fields.ts): a filter on inputs.model reads
    -- one of 32 buckets of this column instead of the inputs of every call.
    json_fields Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    -- Usage by model, extracted from the summary at insert (src/store/calls/extracted-usage.ts): sums of tokens and costs
    -- read this instead of the summaries.
    usage Array(Tuple(model LowCardinality(String), prompt UInt32, completion UInt32,
        total Nullable(UInt32), cache_read UInt32, cache_creation UInt32, plain_prompt UInt32,
        reported Nullable(Decimal(76, 36)))) CODEC(ZSTD(1)),
    -- 0 where the usage does not fit the column above, so that the summary itself must be read
    usage_extracted UInt8 CODEC(ZSTD(1)),
    -- Fields that queries, sort orders and groups know by name (src/contract/calls/call-fields.ts), each in a narrow column;
    -- computed at insert (src/core/calls/named-values.ts).
    field_model Array(LowCardinality(String)) CODEC(ZSTD(1)),
    field_provider LowCardinality(String) CODEC(ZSTD(1)),
    field_input_tokens Nullable(Int64) CODEC(ZSTD(1)),
    field_output_tokens Nullable(Int64) CODEC(ZSTD(1)),
    field_total_tokens Nullable(Int64) CODEC(ZSTD(1)),
    field_time_to_first_token Nullable(Float64) CODEC(ZSTD(1)),
    field_tags Array(LowCardinality(String)) CODEC(ZSTD(1)),
    field_end_user String CODEC(ZSTD(1)),
    field_session String CODEC(ZSTD(1)),
    field_environment LowCardinality(String) CODEC(ZSTD(1)),
    field_error_type LowCardinality(String) CODEC(ZSTD(1)),
    -- whether retention has removed the payloads of this row
    payload_expired UInt8,
    -- the user whose credentials sent the start, beside wb_user_id, which the sender may choose
    sent_by LowCardinality(String),

    INDEX trace_id_bloom trace_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX parent_id_bloom parent_id TYPE bloom_filter(0.01) GRANULARITY 1,
    -- finds the rows inserted since a given time without reading the column (src/store/calls/cached-aggregates.ts)
    INDEX inserted_at_range inserted_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version, is_deleted)
-- by month; all times outside 2020 to 2050 share one partition, so that wrong clocks cannot create many parts
PARTITION BY if(started_at >= '2020-01-01 00:00:00' AND started_at < '2050-01-01 00:00:00', toYYYYMM(started_at), 0)
PRIMARY KEY (project_id, started_at, id)
ORDER BY (project_id, started_at, id, start_hash)
-- A wide part has about 150 files. Creating and removing them for every insert took a tenth of the machine's time, in the
-- search for free inodes (docs/decisions/0010-ingest.md). Inserts therefore write compact parts, and merges write wide ones
-- from 128 MiB on, so that lists of a large project still read single columns.
-- Inserts write json_fields as a plain map, merges sort it into buckets.
SETTINGS index_granularity = 512, min_bytes_for_wide_part = 134217728,
    map_serialization_version = 'with_buckets', map_serialization_version_for_zero_level_parts = 'basic',
    map_buckets_strategy = 'constant', max_buckets_in_map = 32, map_buckets_min_avg_size = 1;

-- Facts that cannot go directly into the row of their call: they arrived before the start, conflict with what is stored,
-- or change it (rename, deletion). The row can always be rebuilt from them.
CREATE TABLE IF NOT EXISTS call_parts
(
    project_id LowCardinality(String),
    id String CODEC(ZSTD(1)),
    -- 'start', 'end', 'name', 'deletion' or 'content'
    fact LowCardinality(String),
    version UInt128,
    -- the columns of the fact in RowBinary (src/store/calls/call-columns.ts)
    body String CODEC(ZSTD(1)),
    -- of a start
    sent_by LowCardinality(String),
    inserted_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree ORDER BY (project_id, id, fact, version)
SETTINGS index_granularity = 512;

-- Index by call id: the rows of each call in calls (by started_at, version and start_hash) and its facts in call_parts.
CREATE TABLE IF NOT EXISTS call_ids
(
    project_id LowCardinality(String),
    id String CODEC(ZSTD(1)),
    is_part UInt8,
    started_at DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
    start_hash UInt32,
    version UInt128
)
ENGINE = ReplacingMergeTree
PRIMARY KEY (project_id, id, is_part, started_at, version)
ORDER BY (project_id, id, is_part, started_at, version, start_hash)
SETTINGS index_granularity = 512, min_bytes_for_wide_part = 134217728;

CREATE MATERIALIZED VIEW IF NOT EXISTS call_ids_from_calls TO call_ids AS
SELECT project_id, id, 0 AS is_part, started_at, start_hash, version FROM calls;

-- The starts in call_parts with the location of their rows, so that these can be hidden before ClickHouse has stored them.
-- A start begins with its time, and its hash is in the bits 20 to 51 of its version. The hash includes that of the sender,
-- so that the row of a resend by another user does not replace the first one in a merge.
CREATE MATERIALIZED VIEW IF NOT EXISTS call_ids_from_parts TO call_ids AS
WITH fact = 'start' AND body != '' AS is_start
SELECT project_id, id, 1 AS is_part,
    fromUnixTimestamp64Micro(if(is_start, reinterpretAsInt64(substring(body, 1, 8)), 0), 'UTC') AS started_at,
    if(is_start, bitXor(toUInt32(bitAnd(bitShiftRight(version, 20), 4294967295)), CRC32(sent_by)), 0) AS start_hash, version
FROM call_parts;

-- ---------------------------------------------------------------------------------------------------------------------
-- Objects, tables and files
-- ---------------------------------------------------------------------------------------------------------------------

-- Object versions: one row for each content (digest) ever published under a name. Every change to a version is a row with
-- the same key, and ClickHouse folds these rows by minimum and maximum. Such a fold has the same result in any order and
-- with any number of repetitions, so nodes need not read, lock or count before they write.
--   first published = min(created_at)      orders the versions by version_index, permanently
--   last published  = max(published_at)    the newest version of an object is its `latest`
--   not deleted     = max(published_at) >= max(deleted_at)
CREATE TABLE IF NOT EXISTS object_versions
(
    project_id LowCardinality(String),
    object_id String CODEC(ZSTD(1)),
    digest String CODEC(ZSTD(1)),
    created_at SimpleAggregateFunction(min, DateTime64(6, 'UTC')),
    -- `<created_at> <user>`: as text its minimum is that of created_at, so the user stays the one of the first publication
    created_by SimpleAggregateFunction(min, String) CODEC(ZSTD(1)),
    published_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')),
    deleted_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')),
    -- These are derived from the content. They are empty in deletions, and the empty string is the smallest.
    kind SimpleAggregateFunction(max, String),
    base_object_class SimpleAggregateFunction(max, String),
    leaf_object_class SimpleAggregateFunction(max, String),
    size_bytes SimpleAggregateFunction(max, UInt64),
    val SimpleAggregateFunction(max, String) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree ORDER BY (project_id, object_id, digest)
SETTINGS index_granularity = 512, min_bytes_for_wide_part = 10485760;

-- Tags and aliases of object versions. A tag belongs to a version, so the digest is part of its key. An alias belongs to
-- an object and points at one version. A label older than the deletion of its version no longer counts.
CREATE TABLE IF NOT EXISTS object_labels
(
    project_id LowCardinality(String),
    object_id String CODEC(ZSTD(1)),
    kind LowCardinality(String),
    label String,
    -- the digest for a tag, empty for an alias
    tagged_digest String,
    digest String,
    wb_user_id LowCardinality(String),
    created_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(created_at, is_deleted) ORDER BY (project_id, object_id, kind, label, tagged_digest)
SETTINGS index_granularity = 512;

-- Tables: the digests of their rows, in order. Content-addressed, so a row here never changes.
CREATE TABLE IF NOT EXISTS data_tables
(
    project_id LowCardinality(String),
    digest String,
    row_digests Array(String) CODEC(ZSTD(1)),
    created_at DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(created_at) ORDER BY (project_id, digest)
SETTINGS index_granularity = 64;

-- Rows of tables, shared by all tables of a project that contain them.
CREATE TABLE IF NOT EXISTS table_rows
(
    project_id LowCardinality(String),
    digest String,
    val String CODEC(ZSTD(1)),
    -- set only where ClickHouse's JSON functions cannot read the bytes as sent (src/core/json/)
    val_normalized String CODEC(ZSTD(1)),
    created_at DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(created_at) ORDER BY (project_id, digest)
SETTINGS index_granularity = 256, min_bytes_for_wide_part = 10485760;

-- Files in chunks, so that no merge has to hold a value of 64 MiB. `chunks` is the number of chunks of the file.
CREATE TABLE IF NOT EXISTS files
(
    project_id LowCardinality(String),
    digest String,
    chunk UInt32,
    chunks UInt32,
    data String CODEC(ZSTD(1)),
    created_at DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(created_at) ORDER BY (project_id, digest, chunk)
SETTINGS index_granularity = 16, min_bytes_for_wide_part = 10485760;

-- ---------------------------------------------------------------------------------------------------------------------
-- Feedback
-- ---------------------------------------------------------------------------------------------------------------------

-- Feedback on anything a ref can name. Replacing a record inserts one row with a higher version under the same key, so a
-- reader never sees both rows or neither. Purging inserts a row without content that FINAL hides. Payloads are stored as
-- the client sent them.
CREATE TABLE IF NOT EXISTS feedback
(
    project_id String,
    id String,
    weave_ref String,
    wb_user_id String,
    creator Nullable(String),
    created_at DateTime64(6, 'UTC'),
    feedback_type LowCardinality(String),
    payload String CODEC(ZSTD(1)),
    -- set only where ClickHouse's JSON functions cannot read the bytes as sent (src/core/json/)
    payload_normalized String CODEC(ZSTD(1)),
    annotation_ref Nullable(String),
    runnable_ref Nullable(String),
    call_ref Nullable(String),
    trigger_ref Nullable(String),
    queue_id Nullable(String),
    scorer_tags Array(String),
    scorer_tag_reasons String CODEC(ZSTD(1)),
    scorer_tag_confidences String CODEC(ZSTD(1)),
    scorer_ratings String CODEC(ZSTD(1)),
    scorer_rating_reasons String CODEC(ZSTD(1)),
    scorer_rating_confidences String CODEC(ZSTD(1)),
    span_agent_name String,
    span_agent_version String,
    span_status_code LowCardinality(String),
    span_conversation_id String,
    span_trace_id String,
    scorer_trace_id String,
    -- microseconds of the write, but always above the previous version, because the clocks of nodes differ
    version UInt64,
    is_deleted UInt8,
    -- Most reads ask for the feedback of some calls, which is scattered over the key. Hence the small granules.
    INDEX by_weave_ref weave_ref TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (project_id, id)
SETTINGS index_granularity = 256;

-- ---------------------------------------------------------------------------------------------------------------------
-- Model prices
-- ---------------------------------------------------------------------------------------------------------------------

-- Prices of models, each valid from a date. Costs are stored as the text that was sent, because Float32 would lose digits.
-- Rows of the project `default` are the built-in prices. The id of a real project contains a slash, so none can collide.
CREATE TABLE IF NOT EXISTS prices
(
    project_id String,
    id String,
    llm_id String,
    provider_id String,
    prompt_token_cost String,
    completion_token_cost String,
    cache_read_input_token_cost String,
    cache_creation_input_token_cost String,
    prompt_token_cost_unit LowCardinality(String),
    completion_token_cost_unit LowCardinality(String),
    effective_date DateTime64(6, 'UTC'),
    pricing_level LowCardinality(String),
    created_by String,
    created_at DateTime64(6, 'UTC'),
    version UInt64,
    is_deleted UInt8
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (project_id, id)
SETTINGS index_granularity = 1024;

-- ---------------------------------------------------------------------------------------------------------------------
-- Users, API keys, members, projects, quotas
-- ---------------------------------------------------------------------------------------------------------------------

-- Small tables, read completely with FINAL and cached by each node for at most 30 s. None of them holds data of a project,
-- so none is a tenant table. The sorting key is what must be unique, so that racing nodes write the same row.

CREATE TABLE IF NOT EXISTS users
(
    username String,
    user_id String,
    -- scrypt with its parameters and salt; empty = this user has API keys only
    password_hash String,
    is_server_admin Bool,
    -- keeps data, keys and roles, and is refused until somebody enables it again
    is_disabled Bool,
    created_at DateTime64(6, 'UTC'),
    changed_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted) ORDER BY username;

-- API keys, browser sessions and sign-in codes. Sessions and codes expire. Expired rows are deleted a day later: the table
-- is read completely, and people sign in often.
CREATE TABLE IF NOT EXISTS api_keys
(
    -- SHA-256, hex. The key itself is shown once and stored nowhere.
    key_hash String,
    key_id String,
    user_id String,
    name String,
    created_at DateTime64(6, 'UTC'),
    changed_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0,
    -- 'key', 'session' (the cookie of a browser) or 'code' (creates one session)
    kind LowCardinality(String) DEFAULT 'key',
    -- NULL = never expires
    expires_at Nullable(DateTime64(6, 'UTC')),
    -- the id of the key that a session was created with, and whose revocation ends it; empty for a password
    created_with String
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted) ORDER BY key_hash
TTL toDateTime(assumeNotNull(expires_at)) + INTERVAL 1 DAY DELETE WHERE isNotNull(expires_at);

-- When an API key or session was used last, to within minutes. Not a column of api_keys: the newest row of a key wins there,
-- so recording a use could restore a key that another server revokes at the same moment.
CREATE TABLE IF NOT EXISTS key_uses
(
    key_id String,
    used_at DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(used_at)
ORDER BY key_id
TTL toDateTime(used_at) + toIntervalDay(400);

CREATE TABLE IF NOT EXISTS members
(
    user_id String,
    entity String,
    -- empty = every project of the entity
    project String,
    role LowCardinality(String),
    changed_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted) ORDER BY (user_id, entity, project);

CREATE TABLE IF NOT EXISTS projects
(
    project_id String,
    -- what the web UI shows instead of the project's own name, which is part of URLs, refs and every row of its data
    display_name String,
    created_by String,
    created_at DateTime64(6, 'UTC'),
    -- When somebody asked to delete the project. Until its data is deleted, requests for it are refused; then the row is
    -- deleted too, and the next write creates a new project (docs/decisions/0017-projects.md).
    deletion_started_at Nullable(DateTime64(6, 'UTC')),
    changed_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted) ORDER BY project_id;

-- Quotas of single API keys and projects that differ from the server settings.
CREATE TABLE IF NOT EXISTS quotas
(
    -- 'key' or 'project'
    kind LowCardinality(String),
    -- the id of a key, or entity/project
    subject String,
    -- 0 = no limit, NULL = server setting
    calls_per_second Nullable(UInt64),
    bytes_per_second Nullable(UInt64),
    changed_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted) ORDER BY (kind, subject);

-- ---------------------------------------------------------------------------------------------------------------------
-- Live feed
-- ---------------------------------------------------------------------------------------------------------------------

-- The log of the live feed (docs/decisions/0009-live-feed.md): one narrow row for each row inserted into calls or
-- feedback, in the order in which they became visible. ClickHouse numbers the blocks of an insert under the lock that makes
-- them visible, and keeps block number and offset through merges: together they are a cursor without gaps.
CREATE TABLE IF NOT EXISTS live_log
(
    project_id LowCardinality(String),
    id String CODEC(ZSTD(1)),
    -- 'call' or 'feedback'
    record_type LowCardinality(String),
    is_deleted UInt8,
    -- of two rows of one record, readers see the one with the higher version
    version UInt128 CODEC(ZSTD(1)),
    -- equal for rows that show readers the same content
    content_hash UInt64 CODEC(ZSTD(1)),

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
    -- start of the insert, by ClickHouse's clock
    logged_at DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),

    INDEX logged_at_range logged_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
-- By hour, so that expired rows are dropped as whole parts and a poll reads only the parts of the last minutes. Within an
-- hour by id, because every event needs to know whether its id was logged before.
PARTITION BY toStartOfHour(logged_at)
ORDER BY (project_id, id)
TTL toDateTime(logged_at) + INTERVAL 1 DAY
SETTINGS index_granularity = 512, ttl_only_drop_parts = 1, enable_block_number_column = 1, enable_block_offset_column = 1,
    min_bytes_for_wide_part = 134217728;

-- The low 53 bits of a version identify the content of a record, without the time when it was received: a resend is not an
-- event. Tombstones are logged only for deleted calls, which have the highest rank (65535). A tombstone that hides one
-- location of a call that still exists changes nothing for readers.
CREATE MATERIALIZED VIEW IF NOT EXISTS live_log_from_calls TO live_log AS
SELECT project_id, id, 'call' AS record_type, is_deleted, version,
    sipHash64(bitAnd(start_version, 9007199254740991), bitAnd(end_version, 9007199254740991),
        bitAnd(name_version, 9007199254740991)) AS content_hash,
    trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at, ifNull(exception, '') != '' AS has_exception,
    wb_user_id, now64(6) AS logged_at
FROM calls
WHERE is_deleted = 0 OR bitShiftRight(version, 112) = 65535;

CREATE MATERIALIZED VIEW IF NOT EXISTS live_log_from_feedback TO live_log AS
SELECT project_id, id, 'feedback' AS record_type, is_deleted, toUInt128(version) AS version, version AS content_hash,
    feedback_type, weave_ref, wb_user_id, now64(6) AS logged_at
FROM feedback;

-- ---------------------------------------------------------------------------------------------------------------------
-- Review queues
-- ---------------------------------------------------------------------------------------------------------------------

-- Queues of calls to review. A row replaces the previous one under its key, by version; removing inserts a row without
-- content that FINAL hides.
CREATE TABLE IF NOT EXISTS queues
(
    project_id String,
    id String,
    name String,
    description String,
    -- names of the annotation specs to fill in; empty = all specs of the project
    scores Array(String),
    -- the refs that the queue was created with, in Weave's API
    scorer_refs Array(String),
    created_by String,
    created_at DateTime64(6, 'UTC'),
    -- microseconds of the write, but always above the previous version, because the clocks of nodes differ
    version UInt64,
    is_deleted UInt8
)
ENGINE = ReplacingMergeTree(version, is_deleted) ORDER BY (project_id, id);

CREATE TABLE IF NOT EXISTS queue_items
(
    project_id String,
    queue_id String,
    call_id String,
    -- the order of review: microseconds of adding, always above the items added before
    position UInt64,
    added_by String,
    added_at DateTime64(6, 'UTC'),
    -- empty until the item is completed
    done_by String,
    done_at Nullable(DateTime64(6, 'UTC')),
    -- users who skipped it; others may still review it
    skipped_by Array(String),
    -- the paths of the call to show, in Weave's API
    display_fields Array(String),
    version UInt64,
    is_deleted UInt8
)
ENGINE = ReplacingMergeTree(version, is_deleted) ORDER BY (project_id, queue_id, call_id)
SETTINGS index_granularity = 1024;

-- Claims on items, in the order in which they became visible: ClickHouse numbers the blocks of inserts under the lock that
-- makes them visible (docs/decisions/0009-live-feed.md), so every reader finds the same holder
-- (src/core/queues/queue-lock.ts). Times are ClickHouse's own, so that there is one clock for all nodes.
CREATE TABLE IF NOT EXISTS queue_claims
(
    project_id String,
    queue_id String,
    call_id String,
    user_id String,
    -- how long the item is reserved for the user; 0 releases it
    seconds UInt32,
    claimed_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC')
)
ENGINE = MergeTree ORDER BY (project_id, queue_id, call_id)
TTL toDateTime(claimed_at) + INTERVAL 1 DAY
SETTINGS index_granularity = 256, enable_block_number_column = 1, enable_block_offset_column = 1;

-- ---------------------------------------------------------------------------------------------------------------------
-- Datasets
-- ---------------------------------------------------------------------------------------------------------------------

-- What the rows of a dataset were made from: links to calls, spans and conversations (`dataset_sources` of Weave's API). A
-- row replaces the previous one under its key, by version; a deleted link stays, because it can be listed and restored.
CREATE TABLE IF NOT EXISTS dataset_sources
(
    project_id String,
    -- the name of the dataset; links belong to all its versions with the row
    dataset_object_id String,
    row_digest String,
    -- 'call', 'span' or 'conversation'
    source_kind LowCardinality(String),
    source_id String,
    -- empty for a conversation
    source_trace_id String,
    -- derived from the columns above
    id String,
    -- the call that is the source; empty for a conversation
    call_id String,
    -- those of the source when it was linked
    source_started_at DateTime64(6, 'UTC'),
    source_display_name String CODEC(ZSTD(1)),
    -- JSON as sent; empty if there is none
    link_metadata String CODEC(ZSTD(1)),
    added_by LowCardinality(String),
    created_at DateTime64(6, 'UTC'),
    deleted_at Nullable(DateTime64(6, 'UTC')),
    -- microseconds of the write, but always above the previous version, because the clocks of nodes differ
    version UInt64,
    INDEX by_source_id source_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_id id TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, dataset_object_id, row_digest, source_kind, source_id, source_trace_id)
SETTINGS index_granularity = 256;

-- ---------------------------------------------------------------------------------------------------------------------
-- Retention
-- ---------------------------------------------------------------------------------------------------------------------

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
-- stores it as text, so the list is computed once and stands here. Lists are removed after their run, not by their age:
-- mutations may be executed days later.
CREATE TABLE IF NOT EXISTS selected_calls
(
    project_id String,
    run_id String,
    id String CODEC(ZSTD(1)),
    added_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = MergeTree
ORDER BY (project_id, run_id, id)
TTL toDateTime(added_at) + toIntervalYear(10)
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

-- Runs of deletions (docs/decisions/0019-retention.md): what was selected, so that a mutation that is executed late,
-- repeated or resumed deletes exactly that, or nothing. A mutation reads its times here, and gets none unless its list is
-- complete on this server.
CREATE TABLE IF NOT EXISTS deletion_runs
(
    run_id String,
    -- 'selected': the list is complete, and its mutations delete. 'closed': they delete nothing any more, whatever is
    -- written later.
    state LowCardinality(String),
    -- 'retention', 'disk' or 'erasure'.
    reason LowCardinality(String),
    -- Rows of the run in selected_calls on this server.
    listed UInt64,
    -- Rows that were stored later are not deleted.
    selected_at DateTime64(6, 'UTC'),
    -- The projects, and for each the times before which calls or payloads go (microseconds), and how many.
    project_ids Array(String) CODEC(ZSTD(1)),
    calls_before Array(Int64) CODEC(ZSTD(1)),
    payloads_before Array(Int64) CODEC(ZSTD(1)),
    calls Array(UInt64) CODEC(ZSTD(1)),
    payloads Array(UInt64) CODEC(ZSTD(1)),
    logged_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC')
)
ENGINE = MergeTree
ORDER BY run_id
TTL toDateTime(logged_at) + toIntervalDay(90);

-- ---------------------------------------------------------------------------------------------------------------------
-- Background jobs
-- ---------------------------------------------------------------------------------------------------------------------

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
