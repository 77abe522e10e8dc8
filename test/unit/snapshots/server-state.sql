-- table parts
SELECT table, toUInt32(sum(partition_parts)) AS parts, toUInt32(max(partition_parts)) AS max_parts_per_partition
FROM (SELECT table, count() AS partition_parts FROM system.parts WHERE database = {p0:String} AND active GROUP BY table, partition_id)
GROUP BY table ORDER BY table
-- {"p0":"x' OR 1=1 --"}

-- disks
SELECT name, free_space AS free, total_space AS total
FROM system.disks WHERE type = 'Local' ORDER BY name
-- {}

-- server kind
SELECT version() AS version, (SELECT any(value) FROM system.settings WHERE name = 'cloud_mode') AS cloud_mode,
    (SELECT toUInt32(count()) FROM system.tables WHERE database = {p0:String} AND engine LIKE 'Shared%') AS shared_tables
-- {"p0":"x' OR 1=1 --"}

-- server version
SELECT version() AS version
-- {}

-- known settings
SELECT name FROM system.settings WHERE has({p0:Array(String)}, name) ORDER BY name
-- {"p0":["x' OR 1=1 --"]}

-- unbounded log tables
SELECT name AS table, ifNull(total_bytes, 0) AS bytes FROM system.tables
WHERE database = 'system' AND engine LIKE '%MergeTree' AND position(engine_full, ' TTL ') = 0 ORDER BY name
-- {}

-- memory limit
SELECT value AS bytes FROM system.server_settings WHERE name = 'max_server_memory_usage'
-- {}

-- machine memory
SELECT value AS bytes FROM system.asynchronous_metrics
WHERE metric IN ('OSMemoryTotal', 'CGroupMemoryTotal')
-- {}

-- database exists
SELECT name FROM system.databases WHERE name = {p0:String}
-- {"p0":"x' OR 1=1 --"}
