-- calls on shard
SELECT project_id, id, max(is_part = 1 AND oldest = {p0:UInt128}) AND NOT max(is_part = 0 AND newest < {p1:UInt128}) AS is_moved
FROM (SELECT project_id, id, is_part, started_at, start_hash, min(version) AS oldest, max(version) AS newest
  FROM call_ids
WHERE ((project_id = {p2:String} AND (id IN {p3:Array(String)})) OR (project_id = {p4:String} AND (id IN {p5:Array(String)})))
  GROUP BY project_id, id, is_part, started_at, start_hash)
GROUP BY project_id, id
-- {"p0":"0","p1":"340277174624079928635746076935438991359","p2":"acme/demo","p3":["x' OR 1=1 --"],"p4":"other/project","p5":["b"]}

-- rows of parts
SELECT project_id, id, fact, version, base64Encode(max(body)) AS encoded, max(sent_by) AS sent_by
FROM call_parts
WHERE ((project_id = {p0:String} AND (id IN {p1:Array(String)})) OR (project_id = {p2:String} AND (id IN {p3:Array(String)})))
GROUP BY project_id, id, fact, version
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"other/project","p3":["b"]}

-- calls on several shards
SELECT DISTINCT project_id, id FROM call_ids
WHERE (project_id, id) IN (SELECT project_id, id FROM remote({p0:String}, {p1:String}, {p2:String}, {p3:String}, {p4:String}) WHERE inserted_at >= fromUnixTimestamp64Micro({p5:Int64}, 'UTC') AND inserted_at < fromUnixTimestamp64Micro({p6:Int64}, 'UTC'))
-- {"p0":"shard-3:9000","p1":"heddle","p2":"calls","p3":"user","p4":"x' OR 1=1 --","p5":"1700000000000000","p6":"1700000060000000"}

-- cluster shards
SELECT number, generation, is_joining, is_own FROM cluster_shards FINAL ORDER BY number
-- {}

-- cluster shards: whether a server has calls
SELECT count() > 0 AS is_used FROM system.parts WHERE database = {p0:String} AND table = 'call_ids' AND active AND rows > 0
-- {"p0":"x' OR 1=1 --"}
