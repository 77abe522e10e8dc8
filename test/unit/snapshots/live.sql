-- live log
SELECT record_type, id, is_deleted, version, content_hash, trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at,
  has_exception, feedback_type, weave_ref, wb_user_id, logged_at, _block_number AS block, _block_offset AS offset
FROM live_log PREWHERE _block_number >= {p0:Int64} WHERE project_id = {p1:String}
  AND logged_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (_block_number, _block_offset) >= ({p0:Int64}, {p3:Int64})
ORDER BY block, offset LIMIT {p4:Int64}
-- {"p0":17,"p1":"acme/demo","p2":"1794714900000000","p3":4,"p4":1000}

-- live log: with a delay
SELECT record_type, id, is_deleted, version, content_hash, trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at,
  has_exception, feedback_type, weave_ref, wb_user_id, logged_at, toUnixTimestamp64Micro(logged_at) AS block, sipHash64(id, record_type, version) % 1000000000 AS offset
FROM live_log PREWHERE toUnixTimestamp64Micro(logged_at) >= {p0:Int64} WHERE project_id = {p1:String}
  AND logged_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (toUnixTimestamp64Micro(logged_at), sipHash64(id, record_type, version) % 1000000000) >= ({p0:Int64}, {p3:Int64}) AND logged_at <= now64(6) - toIntervalMillisecond({p4:Int64})
ORDER BY block, offset LIMIT {p5:Int64}
-- {"p0":17,"p1":"x' OR 1=1 --","p2":"1794714900000000","p3":4,"p4":3000,"p5":1000}

-- live log by id
SELECT id, record_type, version, content_hash, is_deleted, isNotNull(ended_at) AS is_ended, min((_block_number, _block_offset)) AS first
FROM live_log WHERE project_id = {p0:String} AND id IN {p1:Array(String)}
GROUP BY id, record_type, version, content_hash, is_deleted, is_ended
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"]}

-- live log by id: with a delay
SELECT id, record_type, version, content_hash, is_deleted, isNotNull(ended_at) AS is_ended, min((toUnixTimestamp64Micro(logged_at), sipHash64(id, record_type, version) % 1000000000)) AS first
FROM live_log WHERE project_id = {p0:String} AND id IN {p1:Array(String)}
GROUP BY id, record_type, version, content_hash, is_deleted, is_ended
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"]}

-- calls before the live log
SELECT id, max(bitAnd(bitShiftRight(version, 56), 72057594037927935) > 0) AS was_ended
FROM call_ids WHERE project_id = {p0:String} AND id IN {p1:Array(String)} AND is_part = 0
  AND (id, version) NOT IN (SELECT id, version FROM live_log WHERE project_id = {p0:String} AND id IN {p1:Array(String)})
GROUP BY id
-- {"p0":"x' OR 1=1 --","p1":["x' OR 1=1 --"]}

-- live log end
SELECT now64(6, 'UTC') AS now, max((_block_number, _block_offset)) AS last, max(logged_at) AS newest, count() AS n
FROM live_log WHERE project_id = {p0:String} AND logged_at >= now64(6) - toIntervalMicrosecond({p1:Int64})
-- {"p0":"x' OR 1=1 --","p1":300000000}
