-- What one API key or one project may send, where that differs from the settings of the server. A small table, read
-- whole. It holds no data of a project, so it is no tenant table.
CREATE TABLE IF NOT EXISTS quotas
(
    -- 'key' or 'project'
    kind LowCardinality(String),
    -- the id of a key, or entity/project
    subject String,
    -- 0 = no limit, NULL = as the settings say
    calls_per_second Nullable(UInt64),
    bytes_per_second Nullable(UInt64),
    changed_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted) ORDER BY (kind, subject);
