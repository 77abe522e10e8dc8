-- backup state
SELECT query_id, toString(status) AS status, error, toFloat64(num_files) AS num_files, toFloat64(files_read) AS files_read
FROM system.backups WHERE id = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- server info
SELECT version() AS version, now64(3, 'UTC') AS now
-- {}

-- tables
SELECT name, engine, create_table_query, as_select FROM system.tables WHERE database = {p0:String} ORDER BY name
-- {"p0":"heddle"}

-- database
SELECT name FROM system.databases WHERE name = {p0:String}
-- {"p0":"heddle"}

-- parts
SELECT table, name, toFloat64(rows) AS rows FROM system.parts WHERE database = {p0:String} AND active ORDER BY table, name
-- {"p0":"heddle"}

-- partitions
SELECT DISTINCT table, partition_id FROM system.parts WHERE database = {p0:String} AND active ORDER BY table, partition_id
-- {"p0":"heddle"}

-- row count
SELECT toString(count()) AS rows FROM heddle.calls
-- {}

-- replicated tables
SELECT name FROM system.tables WHERE database = {p0:String} AND engine LIKE 'Replicated%' ORDER BY name
-- {"p0":"heddle"}

-- columns
SELECT name FROM system.columns WHERE database = {p0:String} AND table = {p1:String} ORDER BY position
-- {"p0":"heddle","p1":"calls"}

-- databases
SELECT name FROM system.databases WHERE startsWith(name, {p0:String}) AND endsWith(name, {p1:String}) ORDER BY name
-- {"p0":"heddle_restore_","p1":"_project"}

-- project rows compared
SELECT count() AS count FROM restored.calls FINAL WHERE project_id = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- project rows compared: others
SELECT count() AS count FROM calls FINAL WHERE project_id = {p0:String} AND sipHash128(id, started_at, start_hash, version) NOT IN (SELECT sipHash128(id, started_at, start_hash, version) FROM restored.calls FINAL WHERE project_id = {p0:String})
-- {"p0":"x' OR 1=1 --"}

-- calls changed since backup
SELECT DISTINCT id FROM (
  SELECT id FROM calls FINAL WHERE project_id = {p0:String} AND sipHash128(id, started_at, start_hash, version) NOT IN (SELECT sipHash128(id, started_at, start_hash, version) FROM restored.calls FINAL WHERE project_id = {p0:String})
  UNION ALL SELECT id FROM call_parts FINAL WHERE project_id = {p0:String} AND sipHash128(id, fact, version) NOT IN (SELECT sipHash128(id, fact, version) FROM restored.call_parts FINAL WHERE project_id = {p0:String}))
WHERE id IN (SELECT id FROM restored.call_ids FINAL WHERE project_id = {p0:String}) ORDER BY id
-- {"p0":"x' OR 1=1 --"}

-- check part
CHECK TABLE heddle.calls PART '202601_1_1_0' SETTINGS check_query_single_value_result = 0
-- {}
