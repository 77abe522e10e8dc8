-- table parts
SELECT table, toUInt32(sum(partition_parts)) AS parts, toUInt32(max(partition_parts)) AS max_parts_per_partition
FROM (SELECT table, count() AS partition_parts FROM system.parts WHERE database = {p0:String} AND active GROUP BY table, partition_id)
GROUP BY table ORDER BY table
-- {"p0":"x' OR 1=1 --"}

-- disks
SELECT name, free_space AS free, total_space AS total
FROM system.disks WHERE type = 'Local' ORDER BY name
-- {}
