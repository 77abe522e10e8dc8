-- calls known by id
SELECT project_id, id,
  groupUniqArray(version) AS versions,
  groupUniqArrayIf((started_at, origin), is_part = 0) AS places,
  max(is_part) AS has_parts
FROM call_ids
WHERE (project_id, id) IN (SELECT pair.1, pair.2 FROM (SELECT arrayJoin(arrayZip({p0:Array(String)}, {p1:Array(String)})) AS pair))
GROUP BY project_id, id
HAVING length(versions) >= {p2:Int64}
-- {"p0":["acme/demo","other/project"],"p1":["x' OR 1=1 --","b"],"p2":2}

-- stored calls with payloads
SELECT project_id, id, started_at, trace_id, parent_id, thread_id, turn_id, op_name, wb_user_id, wb_run_id,
  wb_run_step, attributes, inputs, otel_dump, ended_at, exception, output, summary, wb_run_step_end, display_name,
  start_version, end_version, name_version, version, is_deleted
FROM calls
WHERE (project_id, started_at, id) IN (SELECT project_id, started_at, id FROM call_ids
WHERE (project_id, id) IN (SELECT pair.1, pair.2 FROM (SELECT arrayJoin(arrayZip({p0:Array(String)}, {p1:Array(String)})) AS pair)) AND is_part = 0)
-- {"p0":["acme/demo","other/project"],"p1":["x' OR 1=1 --","b"]}

-- parts of calls
SELECT project_id, id, fact, version, base64Encode(any(body)) AS body
FROM call_parts
WHERE (project_id, id) IN (SELECT pair.1, pair.2 FROM (SELECT arrayJoin(arrayZip({p0:Array(String)}, {p1:Array(String)})) AS pair))
GROUP BY project_id, id, fact, version
-- {"p0":["acme/demo","other/project"],"p1":["x' OR 1=1 --","b"]}
