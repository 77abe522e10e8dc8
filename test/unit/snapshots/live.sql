-- live log
SELECT project_id, record_type, id, is_deleted, version, content_hash, trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at,
  has_exception, feedback_type, weave_ref, wb_user_id, logged_at, _block_number AS block, _block_offset AS offset
FROM live_log PREWHERE _block_number >= transform(project_id, {p0:Array(String)}, {p1:Array(Int64)}, 0) WHERE project_id IN {p0:Array(String)}
  AND logged_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND toUnixTimestamp64Micro(logged_at) >= transform(project_id, {p0:Array(String)}, {p3:Array(Int64)}, 0)
  AND (_block_number, _block_offset) >= (transform(project_id, {p0:Array(String)}, {p1:Array(Int64)}, 0), transform(project_id, {p0:Array(String)}, {p4:Array(Int64)}, 0))
ORDER BY block, offset LIMIT {p5:Int64} BY project_id
-- {"p0":["acme/demo","x' OR 1=1 --"],"p1":[17,12],"p2":"1794714800000000","p3":[1794714900000000,1794714800000000],"p4":[4,0],"p5":1000}

-- live log: one project
SELECT project_id, record_type, id, is_deleted, version, content_hash, trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at,
  has_exception, feedback_type, weave_ref, wb_user_id, logged_at, _block_number AS block, _block_offset AS offset
FROM live_log PREWHERE _block_number >= transform(project_id, {p0:Array(String)}, {p1:Array(Int64)}, 0) WHERE project_id IN {p0:Array(String)}
  AND logged_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND toUnixTimestamp64Micro(logged_at) >= transform(project_id, {p0:Array(String)}, {p3:Array(Int64)}, 0)
  AND (_block_number, _block_offset) >= (transform(project_id, {p0:Array(String)}, {p1:Array(Int64)}, 0), transform(project_id, {p0:Array(String)}, {p4:Array(Int64)}, 0))
ORDER BY block, offset LIMIT {p5:Int64}
-- {"p0":["acme/demo"],"p1":[17],"p2":"1794714900000000","p3":[1794714900000000],"p4":[4],"p5":1000}

-- live log: with a delay
SELECT project_id, record_type, id, is_deleted, version, content_hash, trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at,
  has_exception, feedback_type, weave_ref, wb_user_id, logged_at, toUnixTimestamp64Micro(logged_at) AS block, sipHash64(id, record_type, version) % 1000000000 AS offset
FROM live_log PREWHERE toUnixTimestamp64Micro(logged_at) >= transform(project_id, {p0:Array(String)}, {p1:Array(Int64)}, 0) WHERE project_id IN {p0:Array(String)}
  AND logged_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND toUnixTimestamp64Micro(logged_at) >= transform(project_id, {p0:Array(String)}, {p3:Array(Int64)}, 0)
  AND (toUnixTimestamp64Micro(logged_at), sipHash64(id, record_type, version) % 1000000000) >= (transform(project_id, {p0:Array(String)}, {p1:Array(Int64)}, 0), transform(project_id, {p0:Array(String)}, {p4:Array(Int64)}, 0)) AND logged_at <= now64(6) - toIntervalMillisecond({p5:Int64})
ORDER BY block, offset LIMIT {p6:Int64}
-- {"p0":["x' OR 1=1 --"],"p1":[12],"p2":"1794714800000000","p3":[1794714800000000],"p4":[0],"p5":3000,"p6":1000}

-- live log by id
SELECT project_id, id, record_type, version, content_hash, is_deleted, isNotNull(ended_at) AS is_ended, min((_block_number, _block_offset)) AS first
FROM live_log
WHERE ((project_id = {p0:String} AND (id IN {p1:Array(String)})) OR (project_id = {p2:String} AND (id IN {p3:Array(String)})))
GROUP BY project_id, id, record_type, version, content_hash, is_deleted, is_ended
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"x' OR 1=1 --","p3":["a","b"]}

-- live log by id: with a delay
SELECT project_id, id, record_type, version, content_hash, is_deleted, isNotNull(ended_at) AS is_ended, min((toUnixTimestamp64Micro(logged_at), sipHash64(id, record_type, version) % 1000000000)) AS first
FROM live_log
WHERE ((project_id = {p0:String} AND (id IN {p1:Array(String)})) OR (project_id = {p2:String} AND (id IN {p3:Array(String)})))
GROUP BY project_id, id, record_type, version, content_hash, is_deleted, is_ended
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"x' OR 1=1 --","p3":["a","b"]}

-- calls before the live log
SELECT project_id, id, max(bitAnd(bitShiftRight(version, 56), 72057594037927935) > 0) AS was_ended
FROM call_ids
WHERE ((project_id = {p0:String} AND (id IN {p1:Array(String)})) OR (project_id = {p2:String} AND (id IN {p3:Array(String)}))) AND is_part = 0
  AND (project_id, id, version) NOT IN (SELECT project_id, id, version FROM live_log
WHERE ((project_id = {p0:String} AND (id IN {p1:Array(String)})) OR (project_id = {p2:String} AND (id IN {p3:Array(String)}))))
GROUP BY project_id, id
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"x' OR 1=1 --","p3":["a","b"]}

-- live log end
SELECT now64(6, 'UTC') AS now, groupArray((project_id, last, newest)) AS ends
FROM (SELECT project_id, max((_block_number, _block_offset)) AS last, max(logged_at) AS newest
  FROM live_log PREWHERE logged_at >= now64(6) - toIntervalMicrosecond({p0:Int64}) WHERE project_id IN {p1:Array(String)}
  GROUP BY project_id)
-- {"p0":300000000,"p1":["acme/demo","x' OR 1=1 --"]}
