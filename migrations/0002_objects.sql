-- Versions of objects: one row for each content (digest) that was ever published under a name. Whatever happens
-- to a version is a row with the same key, and the engine folds them by minimum and maximum; such a fold gives the
-- same result in whatever order and however often nodes write, so nobody has to read, lock or count first.
--   first published = min(created_at)      which gives version_index its order, for ever
--   last published  = max(published_at)    the newest of an object is its `latest`
--   alive           = max(published_at) >= max(deleted_at)
CREATE TABLE IF NOT EXISTS object_versions
(
    project_id LowCardinality(String),
    object_id String CODEC(ZSTD(1)),
    digest String CODEC(ZSTD(1)),
    created_at SimpleAggregateFunction(min, DateTime64(6, 'UTC')),
    -- `<created_at> <user>`: as text it has the minimum where created_at has it, so the user stays the first one's
    created_by SimpleAggregateFunction(min, String) CODEC(ZSTD(1)),
    published_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')),
    deleted_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')),
    -- These follow from the content. A deletion leaves them empty, and empty is the smallest.
    kind SimpleAggregateFunction(max, String),
    base_object_class SimpleAggregateFunction(max, String),
    leaf_object_class SimpleAggregateFunction(max, String),
    size_bytes SimpleAggregateFunction(max, UInt64),
    val SimpleAggregateFunction(max, String) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree ORDER BY (project_id, object_id, digest)
SETTINGS index_granularity = 512, min_bytes_for_wide_part = 10485760;

-- Names that people give to versions. A tag belongs to a version (so its key has the digest), an alias to an
-- object and points at one version. A label older than its version's deletion does not count any more.
CREATE TABLE IF NOT EXISTS object_labels
(
    project_id LowCardinality(String),
    object_id String CODEC(ZSTD(1)),
    kind LowCardinality(String),
    label String,
    -- the digest for a tag, empty for an alias
    tagged String,
    digest String,
    wb_user_id LowCardinality(String),
    created_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(created_at, is_deleted) ORDER BY (project_id, object_id, kind, label, tagged)
SETTINGS index_granularity = 512;

-- Tables: which rows, in which order. Named by content, so a row here never changes.
CREATE TABLE IF NOT EXISTS data_tables
(
    project_id LowCardinality(String),
    digest String,
    row_digests Array(String) CODEC(ZSTD(1)),
    created_at DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(created_at) ORDER BY (project_id, digest)
SETTINGS index_granularity = 64;

-- Rows of tables, shared by all tables of a project that hold them.
CREATE TABLE IF NOT EXISTS table_rows
(
    project_id LowCardinality(String),
    digest String,
    val String CODEC(ZSTD(1)),
    -- set only where the engine's JSON functions cannot read the bytes as sent (core/json/query-form.ts)
    query_form String CODEC(ZSTD(1)),
    created_at DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(created_at) ORDER BY (project_id, digest)
SETTINGS index_granularity = 256, min_bytes_for_wide_part = 10485760;

-- Files in pieces, so that no merge has to hold a 64 MiB value. `chunks` is how many make the file whole.
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
