-- What models cost, from a date on. Costs are the number's text as sent: Float32 would lose digits. Rows of the
-- project `default` are the built-in prices; a project of a client has a slash in its name, so none can be that.
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
