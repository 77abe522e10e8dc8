-- calls: as they started, all columns, no limit
SELECT id, project_id, trace_id, op_name, started_at, display_name, parent_id, thread_id, turn_id, attributes, inputs, ended_at, exception, output, summary, wb_user_id, wb_run_id, wb_run_step, wb_run_step_end, otel_dump
FROM calls FINAL WHERE project_id = {p0:String} AND 1
ORDER BY started_at, id
-- {"p0":"acme/demo"}

-- calls: a page in two steps, payloads only for its rows
SELECT id, project_id, trace_id, op_name, started_at, display_name, parent_id, thread_id, turn_id, attributes, inputs, ended_at, exception, output, summary, wb_user_id, wb_run_id, wb_run_step, wb_run_step_end, otel_dump
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p1:String} AND 1
ORDER BY started_at, id LIMIT {p2:Int64})
ORDER BY started_at, id
-- {"p0":"acme/demo","p1":"acme/demo","p2":100}

-- calls: a page too large for two steps
SELECT id, project_id, trace_id, op_name, started_at, display_name, parent_id, thread_id, turn_id, attributes, inputs, ended_at, exception, output, summary, wb_user_id, wb_run_id, wb_run_step, wb_run_step_end, otel_dump
FROM calls FINAL WHERE project_id = {p0:String} AND 1
ORDER BY started_at, id LIMIT {p1:Int64} OFFSET {p2:Int64}
-- {"p0":"acme/demo","p1":10001,"p2":20}

-- calls: filter, query, sort and page
SELECT id, project_id, trace_id, op_name, started_at, display_name, parent_id, thread_id, turn_id, attributes, inputs, ended_at, exception, output, summary, wb_user_id, wb_run_id, wb_run_step, wb_run_step_end, otel_dump
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p1:String} AND (op_name IN {p2:Array(String)} OR arrayExists(prefix -> startsWith(op_name, prefix), {p3:Array(String)})) AND (parent_id = '') AND ((({p4:Int64} = {p5:Int64}) AND (JSONExtractString(if(inputs_query_form = '', inputs, inputs_query_form), {p6:String}) = {p7:String})))
ORDER BY (JSONHas(if(output_query_form = '', output, output_query_form), {p8:String}) AND JSONType(if(output_query_form = '', output, output_query_form), {p9:String}) != 'Null') DESC, toFloat64OrNull(JSONExtractString(if(output_query_form = '', output, output_query_form), {p10:String})) DESC NULLS LAST, JSONExtractString(if(output_query_form = '', output, output_query_form), {p11:String}) DESC, id DESC LIMIT {p12:Int64} OFFSET {p13:Int64})
ORDER BY (JSONHas(if(output_query_form = '', output, output_query_form), {p14:String}) AND JSONType(if(output_query_form = '', output, output_query_form), {p15:String}) != 'Null') DESC, toFloat64OrNull(JSONExtractString(if(output_query_form = '', output, output_query_form), {p16:String})) DESC NULLS LAST, JSONExtractString(if(output_query_form = '', output, output_query_form), {p17:String}) DESC, id DESC
-- {"p0":"acme/demo","p1":"acme/demo","p2":["x' OR 1=1 --"],"p3":["x' OR 1=1 --:"],"p4":"1","p5":"1","p6":"x' OR 1=1 --","p7":"x' OR 1=1 --","p8":"x' OR 1=1 --","p9":"x' OR 1=1 --","p10":"x' OR 1=1 --","p11":"x' OR 1=1 --","p12":10,"p13":5,"p14":"x' OR 1=1 --","p15":"x' OR 1=1 --","p16":"x' OR 1=1 --","p17":"x' OR 1=1 --"}

-- calls: named by id, through call_ids
SELECT id, project_id, trace_id, op_name, started_at, display_name, parent_id, thread_id, turn_id, attributes, inputs, ended_at, exception, output, summary, wb_user_id, wb_run_id, wb_run_step, wb_run_step_end, otel_dump
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p1:String} AND (id IN {p2:Array(String)}) AND ((started_at, id) IN (SELECT started_at, id FROM call_ids FINAL WHERE project_id = {p3:String} AND id IN {p4:Array(String)} AND is_part = 0))
ORDER BY started_at, id LIMIT {p5:Int64} OFFSET {p6:Int64})
ORDER BY started_at, id
-- {"p0":"acme/demo","p1":"acme/demo","p2":["x' OR 1=1 --","b"],"p3":"acme/demo","p4":["x' OR 1=1 --","b"],"p5":10,"p6":5}

-- calls: in no order
SELECT id, project_id, trace_id, op_name, started_at, display_name, parent_id, thread_id, turn_id, attributes, inputs, ended_at, exception, output, summary, wb_user_id, wb_run_id, wb_run_step, wb_run_step_end, otel_dump
FROM calls FINAL WHERE project_id = {p0:String} AND 1
-- {"p0":"acme/demo"}

-- calls: the latest first
SELECT id, project_id, trace_id, op_name, started_at, display_name, parent_id, thread_id, turn_id, attributes, inputs, ended_at, exception, output, summary, wb_user_id, wb_run_id, wb_run_step, wb_run_step_end, otel_dump
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p1:String} AND 1
ORDER BY started_at DESC, id DESC LIMIT {p2:Int64} OFFSET {p3:Int64})
ORDER BY started_at DESC, id DESC
-- {"p0":"acme/demo","p1":"acme/demo","p2":10,"p3":5}

-- calls: columns by their first part
SELECT id, project_id, trace_id, op_name, started_at, inputs, summary, ended_at, exception, display_name
FROM calls FINAL WHERE project_id = {p0:String} AND 1
ORDER BY started_at, id
-- {"p0":"acme/demo"}

-- calls: attributes need the span
SELECT id, project_id, trace_id, op_name, started_at, attributes, otel_dump
FROM calls FINAL WHERE project_id = {p0:String} AND 1
ORDER BY started_at, id
-- {"p0":"acme/demo"}
