-- call by id
SELECT id, project_id, trace_id, op_name, started_at, parent_id, thread_id, turn_id, wb_user_id, wb_run_id, wb_run_step, attributes, inputs, otel_dump, ended_at, exception, output, summary, wb_run_step_end, display_name, sent_by
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT started_at, id FROM call_ids FINAL WHERE project_id = {p0:String} AND id = {p1:String} AND is_part = 0)
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- calls counted: all
SELECT count() AS count FROM calls FINAL WHERE project_id = {p0:String} AND 1
-- {"p0":"acme/demo"}

-- calls counted: those that match
SELECT count() AS count FROM calls FINAL WHERE project_id = {p0:String} AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND ((multiIf(ifNull(exception, '') != '', 'error', toFloat64OrNull(JSONExtractString(if(summary_normalized = '', summary, summary_normalized), 'status_counts', 'error')) > 0, 'descendant_error', isNull(ended_at), 'running', 'success') = {p3:String}))
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":"x' OR 1=1 --"}

-- calls counted: up to a limit
SELECT count() AS count FROM (SELECT 1 FROM calls FINAL WHERE project_id = {p0:String} AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND ((multiIf(ifNull(exception, '') != '', 'error', toFloat64OrNull(JSONExtractString(if(summary_normalized = '', summary, summary_normalized), 'status_counts', 'error')) > 0, 'descendant_error', isNull(ended_at), 'running', 'success') = {p3:String})) LIMIT {p4:Int64})
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":"x' OR 1=1 --","p4":1}

-- calls of the same traces
SELECT id, parent_id FROM calls FINAL WHERE project_id = {p0:String} AND trace_id IN (
  SELECT trace_id FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (
    SELECT started_at, id FROM call_ids FINAL WHERE project_id = {p0:String} AND id IN {p1:Array(String)} AND is_part = 0))
-- {"p0":"acme/demo","p1":["x' OR 1=1 --","b"]}

-- totals of traces
SELECT trace_id, toUInt32(count()) AS call_count, toUInt32(countIf(ifNull(exception, '') != '')) AS errors,
  toUInt32(countIf(isNull(ended_at))) AS running, toUInt32(countIf((usage_extracted = 0 OR notEmpty(usage.model)))) AS used_count,
  min(started_at) AS first_start, max(ended_at) AS last_end,
  argMinIf(field_end_user, (started_at, id), field_end_user != '') AS end_user, argMinIf(field_session, (started_at, id), field_session != '') AS session,
  argMinIf(toString(field_environment), (started_at, id), toString(field_environment) != '') AS environment,
  arraySort(groupUniqArrayArray({p0:Int64})(CAST(field_tags AS Array(String)))) AS tags,
  groupArrayIf({p1:Int64})((id, parent_id, op_name, toUnixTimestamp64Micro(started_at), toUnixTimestamp64Micro(ended_at), otel_dump.size != 0,
    arrayZip(usage.model, usage.prompt, usage.completion, usage.total, usage.cache_read, usage.cache_creation, usage.plain_prompt),
    if(usage_extracted = 0, summary, '')), (usage_extracted = 0 OR notEmpty(usage.model))) AS used_calls
FROM calls FINAL WHERE project_id = {p2:String} AND trace_id IN {p3:Array(String)} AND started_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC')
GROUP BY trace_id
-- {"p0":100,"p1":1000,"p2":"acme/demo","p3":["x' OR 1=1 --","b"],"p4":"1699913600000000"}
