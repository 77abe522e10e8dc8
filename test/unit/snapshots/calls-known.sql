-- calls known by id: a list of ids
SELECT project_id, id,
  groupUniqArray(version) AS versions,
  groupUniqArrayIf((started_at, start_hash), is_part = 0 OR start_hash != 0) AS locations,
  max(is_part) AS has_parts
FROM call_ids
WHERE ((project_id = {p0:String} AND (id IN {p1:Array(String)})) OR (project_id = {p2:String} AND (id IN {p3:Array(String)})))
GROUP BY project_id, id
HAVING length(versions) >= {p4:Int64} OR length(locations) > 1
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"other/project","p3":["b"],"p4":2}

-- calls known by id: a span of ids created together
SELECT project_id, id,
  groupUniqArray(version) AS versions,
  groupUniqArrayIf((started_at, start_hash), is_part = 0 OR start_hash != 0) AS locations,
  max(is_part) AS has_parts
FROM call_ids
WHERE ((project_id = {p0:String} AND (id IN {p1:Array(String)} OR (id >= {p2:String} AND id <= {p3:String}))) OR (project_id = {p4:String} AND (id IN {p5:Array(String)})))
GROUP BY project_id, id
HAVING length(versions) >= {p6:Int64} OR length(locations) > 1
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"0190c5b0-3f4e-7d3a-9b1c-000000000001","p3":"0190c5b0-3f4e-7d3a-9b1c-000000000003","p4":"other/project","p5":["b"],"p6":2}

-- stored calls with payloads
SELECT project_id, id, started_at, trace_id, parent_id, thread_id, turn_id, op_name, wb_user_id, wb_run_id, wb_run_step, attributes, inputs, otel_dump, ended_at, exception, output, summary, wb_run_step_end, display_name, sent_by, start_version, end_version, version, is_deleted
FROM calls
WHERE (project_id, started_at, id) IN (SELECT project_id, started_at, id FROM call_ids
WHERE ((project_id = {p0:String} AND (id IN {p1:Array(String)})) OR (project_id = {p2:String} AND (id IN {p3:Array(String)}))) AND is_part = 0)
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"other/project","p3":["b"]}

-- versions of stored calls
SELECT project_id, id, groupUniqArray(start_version) AS starts, groupUniqArrayIf(end_version, end_version > 0) AS ends
FROM calls
WHERE (project_id, started_at, id) IN (SELECT project_id, started_at, id FROM call_ids
WHERE ((project_id = {p0:String} AND (id IN {p1:Array(String)})) OR (project_id = {p2:String} AND (id IN {p3:Array(String)}))) AND is_part = 0)
  AND is_deleted = 0 AND version < bitShiftLeft(toUInt128(1), 112)
GROUP BY project_id, id
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"other/project","p3":["b"]}

-- parts of calls
SELECT project_id, id, fact, groupUniqArray(version) AS versions
FROM call_parts
WHERE ((project_id = {p0:String} AND (id IN {p1:Array(String)})) OR (project_id = {p2:String} AND (id IN {p3:Array(String)})))
GROUP BY project_id, id, fact
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"other/project","p3":["b"]}

-- bodies of parts
SELECT project_id, id, fact, version, base64Encode(any(body)) AS encoded, max(sent_by) AS sent_by
FROM call_parts
WHERE ((project_id = {p0:String} AND (id IN {p1:Array(String)})))
  AND concat(fact, ' ', toString(bitAnd(version, 9007199254740991)), ' ', id) IN {p2:Array(String)} AND body != ''
GROUP BY project_id, id, fact, version
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["start 7 x' OR 1=1 --","end 8 x' OR 1=1 --"]}

-- clock
SELECT now64(6, 'UTC') AS now
-- {}

-- last insert
SELECT max(inserted_at) AS last, count() AS calls FROM calls
-- {}

-- minutes with inserts
SELECT DISTINCT intDiv(toUnixTimestamp64Micro(inserted_at), {p0:Int64}) AS slice FROM calls
WHERE inserted_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND inserted_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') ORDER BY slice
-- {"p0":60000000,"p1":"1700000000000000","p2":"1700000060000000"}

-- calls logged again
INSERT INTO live_log (project_id, id, record_type, is_deleted, version, content_hash, trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at, has_exception, wb_user_id, logged_at)
SELECT project_id, id, 'call', is_deleted, version,
  sipHash64(bitAnd(start_version, 9007199254740991), bitAnd(end_version, 9007199254740991), bitAnd(name_version, 9007199254740991)),
  trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at, ifNull(exception, '') != '', wb_user_id, now64(6) FROM calls
WHERE inserted_at >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') AND inserted_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (is_deleted = 0 OR bitShiftRight(version, 112) = 65535) AND (project_id, id, version) NOT IN (
  SELECT project_id, id, version FROM live_log
  WHERE record_type = 'call' AND logged_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC')
    AND (project_id, id) IN (SELECT project_id, id FROM calls WHERE inserted_at >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') AND inserted_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC')))
-- {"p0":"1700000000000000","p1":"1700000060000000","p2":"1699999700000000"}

-- calls indexed again
INSERT INTO call_ids (project_id, id, is_part, started_at, start_hash, version)
SELECT project_id, id, 0, started_at, start_hash, version FROM calls
WHERE inserted_at >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') AND inserted_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (project_id, id, started_at, start_hash, version) NOT IN (
  SELECT project_id, id, started_at, start_hash, version FROM call_ids
  WHERE is_part = 0 AND (project_id, id) IN (SELECT project_id, id FROM calls WHERE inserted_at >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') AND inserted_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC')))
-- {"p0":"1700000000000000","p1":"1700000060000000"}

-- calls unreconciled
SELECT project_id, id FROM (
  SELECT project_id, id, is_part, started_at, start_hash, max(version) AS newest
  FROM call_ids
  WHERE (project_id, id) IN (
    SELECT project_id, id FROM calls WHERE inserted_at >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') AND inserted_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND version < bitShiftLeft(toUInt128(1), 112))
  GROUP BY project_id, id, is_part, started_at, start_hash)
GROUP BY project_id, id
HAVING count() > 1 AND countIf(is_part = 0 AND newest < bitShiftLeft(toUInt128(1), 112)) > 0
-- {"p0":"1700000000000000","p1":"1700000060000000"}
