-- Who may: users, their API keys, their memberships, and the projects there are. Small tables, read whole with
-- FINAL and kept in each node's memory for at most 30 s. None of them holds data of a project, so none of them is
-- a tenant table. Keys are what must be unique, so that nodes that race write the same row.

CREATE TABLE IF NOT EXISTS users
(
    username String,
    user_id String,
    -- scrypt with its parameters and salt; empty = this user has API keys only
    password_hash String,
    is_server_admin Bool,
    created_at DateTime64(6, 'UTC'),
    changed_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted) ORDER BY username;

CREATE TABLE IF NOT EXISTS api_keys
(
    -- SHA-256, hex. The key itself is shown once and kept nowhere.
    key_hash String,
    key_id String,
    user_id String,
    name String,
    created_at DateTime64(6, 'UTC'),
    changed_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted) ORDER BY key_hash;

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
    created_by String,
    created_at DateTime64(6, 'UTC'),
    changed_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted) ORDER BY project_id;
