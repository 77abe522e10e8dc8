-- A disabled user keeps data, keys and roles, and is refused until somebody enables it again.
ALTER TABLE users ADD COLUMN IF NOT EXISTS is_disabled Bool DEFAULT false AFTER is_server_admin;

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
