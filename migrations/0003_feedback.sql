-- Feedback on anything a ref can name. Replacing is one row with a higher version under the same key, so no reader
-- ever sees both or neither; purging is a row without content that FINAL hides. Payloads are the client's bytes.
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
    -- set only where the engine's JSON functions cannot read the bytes as sent (core/json/query-form.ts)
    payload_query_form String CODEC(ZSTD(1)),
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
    -- Microseconds of the write, and always above the version before: clocks of nodes may differ.
    version UInt64,
    is_deleted UInt8,
    -- Most reads ask for the feedback of some calls, which lies scattered over the key: few rows per granule.
    INDEX by_weave_ref weave_ref TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (project_id, id)
SETTINGS index_granularity = 256;
