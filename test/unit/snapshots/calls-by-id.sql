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
