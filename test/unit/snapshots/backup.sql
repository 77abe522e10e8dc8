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

-- check part
CHECK TABLE heddle.calls PART '202601_1_1_0' SETTINGS check_query_single_value_result = 0
-- {}
