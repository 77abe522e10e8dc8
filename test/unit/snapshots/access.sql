-- users list
SELECT username, user_id, password_hash, is_server_admin, is_disabled, created_at, changed_at
FROM users FINAL ORDER BY username
-- {}

-- users find
SELECT username, user_id, password_hash, is_server_admin, is_disabled, created_at, changed_at
FROM users FINAL WHERE username = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- users ever
SELECT 1 FROM users WHERE username = {p0:String} LIMIT 1
-- {"p0":"x' OR 1=1 --"}

-- users any
SELECT 1 FROM users LIMIT 1
-- {}

-- keys list
SELECT key_hash, key_id, user_id, name, kind, created_with, created_at, expires_at, changed_at
FROM api_keys FINAL ORDER BY user_id, created_at, key_id
-- {}

-- keys of user
SELECT key_hash, key_id, user_id, name, kind, created_with, created_at, expires_at, changed_at
FROM api_keys FINAL WHERE user_id = {p0:String} ORDER BY created_at, key_id
-- {"p0":"x' OR 1=1 --"}

-- keys find
SELECT key_hash, key_id, user_id, name, kind, created_with, created_at, expires_at, changed_at
FROM api_keys FINAL WHERE key_hash = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- keys ever
SELECT 1 FROM api_keys WHERE key_hash = {p0:String} LIMIT 1
-- {"p0":"x' OR 1=1 --"}

-- key uses
SELECT key_id, used_at FROM key_uses FINAL WHERE key_id IN {p0:Array(String)}
-- {"p0":["x' OR 1=1 --"]}

-- code claims
SELECT toUInt32(uniqExact(key_id)) AS claims FROM key_uses WHERE startsWith(key_id, {p0:String})
-- {"p0":"claim:x' OR 1=1 --:"}

-- last sessions
SELECT user_id, max(created_at) AS signed_in_at
FROM api_keys WHERE kind = 'session' GROUP BY user_id
-- {}

-- members list
SELECT user_id, entity, project, role, changed_at
FROM members FINAL ORDER BY entity, project, user_id
-- {}

-- projects list
SELECT project_id, display_name, created_by, created_at, deletion_started_at, changed_at
FROM projects FINAL ORDER BY project_id
-- {}

-- projects of user
SELECT project_id, display_name, created_by, created_at, deletion_started_at, changed_at
FROM projects FINAL
WHERE splitByChar('/', project_id)[1] IN {p0:Array(String)} OR project_id IN {p1:Array(String)} ORDER BY project_id
-- {"p0":["x' OR 1=1 --"],"p1":["x' OR 1=1 --"]}

-- project find
SELECT project_id, display_name, created_by, created_at, deletion_started_at, changed_at
FROM projects FINAL WHERE project_id = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- projects find
SELECT project_id, is_deleted, changed_at FROM projects WHERE project_id IN {p0:Array(String)}
ORDER BY project_id, changed_at DESC LIMIT 1 BY project_id
-- {"p0":["x' OR 1=1 --"]}

-- project deletions
SELECT project_id, deletion_started_at, is_deleted FROM projects
WHERE project_id IN (SELECT project_id FROM projects WHERE deletion_started_at IS NOT NULL)
ORDER BY project_id, changed_at DESC LIMIT 1 BY project_id
-- {}

-- project rows
SELECT count() AS count FROM calls WHERE project_id = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- project delete
DELETE FROM calls WHERE project_id = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- projects newest
SELECT project_id FROM projects FINAL ORDER BY changed_at DESC LIMIT {p0:Int64}
-- {"p0":10}

-- projects of entity
SELECT 1 FROM projects FINAL WHERE startsWith(project_id, {p0:String}) LIMIT 1
-- {"p0":"x' OR 1=1 --/"}

-- migrations applied
SELECT version, name, checksum FROM schema_migrations FINAL ORDER BY version
-- {}

-- table sizes
SELECT name AS table, toString(ifNull(total_rows, 0)) AS rows, toString(ifNull(total_bytes, 0)) AS bytes
FROM system.tables WHERE database = {p0:String} ORDER BY name
-- {"p0":"x' OR 1=1 --"}

-- detached parts
SELECT table, name, ifNull(reason, 'unknown') AS reason FROM system.detached_parts
WHERE database = {p0:String} ORDER BY table, name
-- {"p0":"x' OR 1=1 --"}

-- detached part files
SELECT table, name, ifNull(reason, 'unknown') AS reason, toString(bytes_on_disk) AS bytes,
    toString(modification_time) AS modified_at, path
FROM system.detached_parts WHERE database = {p0:String} ORDER BY table, name
-- {"p0":"x' OR 1=1 --"}

-- detached part drop
ALTER TABLE calls DROP DETACHED PART {p0:String} SETTINGS allow_drop_detached = 1
-- {"p0":"x' OR 1=1 --"}

-- durability tables
SELECT name, engine, engine_full,
    (SELECT value FROM system.merge_tree_settings WHERE name = 'non_replicated_deduplication_window') AS window
FROM system.tables
WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name
-- {}

-- cluster tables
SELECT table AS name, groupArray((column_name, type)) AS columns
FROM (SELECT table, name AS column_name, type FROM system.columns WHERE database = {p0:String} ORDER BY table, position)
WHERE table IN (SELECT name FROM system.tables WHERE database = {p0:String} AND engine LIKE '%MergeTree' AND name NOT IN ('schema_migrations', 'cluster_shards'))
GROUP BY table ORDER BY table
-- {"p0":"x' OR 1=1 --"}

-- cluster tables version
SELECT comment FROM system.databases WHERE name = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- cluster read
SELECT _shard_num, count() FROM heddle_cluster.live_log GROUP BY _shard_num
-- {}

-- quotas list
SELECT kind, subject, calls_per_second, bytes_per_second, changed_at
FROM quotas FINAL ORDER BY kind, subject
-- {}
