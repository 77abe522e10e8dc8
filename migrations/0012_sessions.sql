-- A session of the web UI is a key that ends by itself, and so is the code of a sign-in link. Rows that have ended go
-- a day later: the table is read whole, and people sign in often.

-- 'key', 'session' (the cookie of a browser) or 'code' (begins one session)
ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS kind LowCardinality(String) DEFAULT 'key';

-- NULL = until it is revoked
ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS expires_at Nullable(DateTime64(6, 'UTC'));

-- the id of the key that a session was begun with, and ends with; empty for a password
ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS begun_with String;

ALTER TABLE api_keys MODIFY TTL toDateTime(assumeNotNull(expires_at)) + INTERVAL 1 DAY DELETE WHERE isNotNull(expires_at);
