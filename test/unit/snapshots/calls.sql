-- calls: by start time, all columns, no limit
SELECT id, project_id, trace_id, op_name, started_at, parent_id, thread_id, turn_id, wb_user_id, wb_run_id, wb_run_step, attributes, inputs, otel_dump, ended_at, exception, output, summary, wb_run_step_end, display_name, sent_by
FROM calls FINAL WHERE project_id = {p0:String} AND 1
ORDER BY started_at, id
-- {"p0":"acme/demo"}

-- calls: a page in two steps, payloads only for its rows
SELECT id, project_id, trace_id, op_name, started_at, parent_id, thread_id, turn_id, wb_user_id, wb_run_id, wb_run_step, attributes, inputs, otel_dump, ended_at, exception, output, summary, wb_run_step_end, display_name, sent_by
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p0:String} AND 1
ORDER BY started_at, id LIMIT {p1:Int64})
ORDER BY started_at, id
-- {"p0":"acme/demo","p1":100}

-- calls: a page too large for two steps
SELECT id, project_id, trace_id, op_name, started_at, parent_id, thread_id, turn_id, wb_user_id, wb_run_id, wb_run_step, attributes, inputs, otel_dump, ended_at, exception, output, summary, wb_run_step_end, display_name, sent_by
FROM calls FINAL WHERE project_id = {p0:String} AND 1
ORDER BY started_at, id LIMIT {p1:Int64} OFFSET {p2:Int64}
-- {"p0":"acme/demo","p1":10001,"p2":20}

-- calls: filter, query, sort and page
SELECT id, project_id, trace_id, op_name, started_at, parent_id, thread_id, turn_id, wb_user_id, wb_run_id, wb_run_step, attributes, inputs, otel_dump, ended_at, exception, output, summary, wb_run_step_end, display_name, sent_by
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p0:String} AND (op_name IN {p1:Array(String)} OR arrayExists(prefix -> startsWith(op_name, prefix), {p2:Array(String)})) AND (parent_id = '') AND (((NOT (usage_extracted = 0 OR json_fields.{p3:Identifier} = {p4:String} OR json_fields.{p5:Identifier} IN ({p6:String}, {p4:String})) AND (({p7:Int64} = {p7:Int64}) AND (substring(json_fields.{p5:Identifier}, 2) = {p8:String}))) OR ((usage_extracted = 0 OR json_fields.{p3:Identifier} = {p4:String} OR json_fields.{p5:Identifier} IN ({p6:String}, {p4:String})) AND (started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p0:String} AND (op_name IN {p1:Array(String)} OR arrayExists(prefix -> startsWith(op_name, prefix), {p2:Array(String)})) AND (parent_id = '') AND ((usage_extracted = 0 OR json_fields.{p3:Identifier} = {p4:String} OR json_fields.{p5:Identifier} IN ({p6:String}, {p4:String})))) AND (op_name IN {p1:Array(String)} OR arrayExists(prefix -> startsWith(op_name, prefix), {p2:Array(String)})) AND (parent_id = '') AND ((usage_extracted = 0 OR json_fields.{p3:Identifier} = {p4:String} OR json_fields.{p5:Identifier} IN ({p6:String}, {p4:String}))) AND ((({p7:Int64} = {p7:Int64}) AND (JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p8:String}) = {p8:String})))))))
ORDER BY (JSONHas(if(output_normalized = '', output, output_normalized), {p8:String}) AND JSONType(if(output_normalized = '', output, output_normalized), {p8:String}) != 'Null') DESC, toFloat64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p8:String})) DESC NULLS LAST, JSONExtractString(if(output_normalized = '', output, output_normalized), {p8:String}) DESC, id DESC LIMIT {p9:Int64} OFFSET {p10:Int64})
ORDER BY (JSONHas(if(output_normalized = '', output, output_normalized), {p8:String}) AND JSONType(if(output_normalized = '', output, output_normalized), {p8:String}) != 'Null') DESC, toFloat64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p8:String})) DESC NULLS LAST, JSONExtractString(if(output_normalized = '', output, output_normalized), {p8:String}) DESC, id DESC
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --:"],"p3":"key_inputs","p4":"*","p5":"key_inputs.x%27 OR 1=1 --","p6":".","p7":"1","p8":"x' OR 1=1 --","p9":10,"p10":5}

-- calls: named by id, through call_ids
SELECT id, project_id, trace_id, op_name, started_at, parent_id, thread_id, turn_id, wb_user_id, wb_run_id, wb_run_step, attributes, inputs, otel_dump, ended_at, exception, output, summary, wb_run_step_end, display_name, sent_by
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p0:String} AND (id IN {p1:Array(String)}) AND ((started_at, id) IN (SELECT started_at, id FROM call_ids FINAL WHERE project_id = {p0:String} AND id IN {p2:Array(String)} AND is_part = 0))
ORDER BY started_at, id LIMIT {p3:Int64} OFFSET {p4:Int64})
ORDER BY started_at, id
-- {"p0":"acme/demo","p1":["x' OR 1=1 --","b"],"p2":["x' OR 1=1 --","b"],"p3":10,"p4":5}

-- calls: traces only, by a field of traces
SELECT id, project_id, trace_id, op_name, started_at, parent_id, thread_id, turn_id, wb_user_id, wb_run_id, wb_run_step, attributes, inputs, otel_dump, ended_at, exception, output, summary, wb_run_step_end, display_name, sent_by
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p0:String} AND (trace_id IN (SELECT trace_id FROM calls FINAL WHERE project_id = {p0:String} AND field_end_user != '' AND (field_end_user = {p1:String}))) AND ((parent_id = '' OR (started_at, id) IN (SELECT head.1, head.2 FROM (
    SELECT min((started_at, id)) AS head FROM calls FINAL WHERE project_id = {p0:String} AND trace_id IN (SELECT trace_id FROM calls FINAL WHERE project_id = {p0:String} AND (parent_id != '') AND trace_id NOT IN (SELECT trace_id FROM calls FINAL WHERE project_id = {p0:String} AND (parent_id = ''))) AND trace_id NOT IN (SELECT trace_id FROM calls FINAL WHERE project_id = {p0:String} AND trace_id IN (SELECT trace_id FROM calls FINAL WHERE project_id = {p0:String} AND (parent_id != '') AND trace_id NOT IN (SELECT trace_id FROM calls FINAL WHERE project_id = {p0:String} AND (parent_id = ''))) AND parent_id = '')
      AND (trace_id, parent_id) NOT IN (SELECT trace_id, id FROM calls FINAL WHERE project_id = {p0:String} AND trace_id IN (SELECT trace_id FROM calls FINAL WHERE project_id = {p0:String} AND (parent_id != '') AND trace_id NOT IN (SELECT trace_id FROM calls FINAL WHERE project_id = {p0:String} AND (parent_id = ''))))
    GROUP BY trace_id))))
ORDER BY started_at, id LIMIT {p2:Int64} OFFSET {p3:Int64})
ORDER BY started_at, id
-- {"p0":"acme/demo","p1":"x' OR 1=1 --","p2":10,"p3":5}

-- calls: in no order
SELECT id, project_id, trace_id, op_name, started_at, parent_id, thread_id, turn_id, wb_user_id, wb_run_id, wb_run_step, attributes, inputs, otel_dump, ended_at, exception, output, summary, wb_run_step_end, display_name, sent_by
FROM calls FINAL WHERE project_id = {p0:String} AND 1
-- {"p0":"acme/demo"}

-- calls: newest first
SELECT id, project_id, trace_id, op_name, started_at, parent_id, thread_id, turn_id, wb_user_id, wb_run_id, wb_run_step, attributes, inputs, otel_dump, ended_at, exception, output, summary, wb_run_step_end, display_name, sent_by
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p0:String} AND 1
ORDER BY started_at DESC, id DESC LIMIT {p1:Int64} OFFSET {p2:Int64})
ORDER BY started_at DESC, id DESC
-- {"p0":"acme/demo","p1":10,"p2":5}

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

-- calls: previews without payloads
SELECT id, project_id, trace_id, op_name, started_at, substringUTF8(inputs, 1, {p0:Int64}) AS preview_inputs, substringUTF8(output, 1, {p0:Int64}) AS preview_output
FROM calls FINAL WHERE project_id = {p1:String} AND (started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p1:String} AND 1
ORDER BY started_at, id LIMIT {p2:Int64} OFFSET {p3:Int64})
ORDER BY started_at, id
-- {"p0":100,"p1":"acme/demo","p2":10,"p3":5}

-- calls: previews of messages
SELECT id, project_id, trace_id, op_name, started_at, multiIf(length(inputs) > {p0:Int64}, substringUTF8(inputs, 1, {p1:Int64}), JSONLength(inputs, {p2:String}) > 0, concat('{"messages":[', if(lengthUTF8(JSONExtractRaw(inputs, {p2:String}, -2)) BETWEEN 1 AND {p1:Int64}, concat(JSONExtractRaw(inputs, {p2:String}, -2), ','), ''), substringUTF8(JSONExtractRaw(inputs, {p2:String}, -1), 1, {p1:Int64})), JSONLength(inputs, {p3:String}) > 0, concat('{"messages":[', if(lengthUTF8(JSONExtractRaw(inputs, {p3:String}, -2)) BETWEEN 1 AND {p1:Int64}, concat(JSONExtractRaw(inputs, {p3:String}, -2), ','), ''), substringUTF8(JSONExtractRaw(inputs, {p3:String}, -1), 1, {p1:Int64})), substringUTF8(replaceRegexpOne(substringUTF8(inputs, 1, {p4:Int64}), {p5:String}, '{'), 1, {p1:Int64})) AS preview_inputs, multiIf(length(output) > {p0:Int64}, substringUTF8(output, 1, {p1:Int64}), JSONLength(output, 'choices', 1, 'message') > 0, concat({p6:String}, substringUTF8(JSONExtractRaw(output, 'choices', 1, 'message'), 1, {p1:Int64})), JSONLength(output, 'candidates', 1, 'content') > 0, concat({p7:String}, substringUTF8(JSONExtractRaw(output, 'candidates', 1, 'content'), 1, {p1:Int64})), JSONExtractString(output, 'object') = 'response' AND JSONLength(output, 'output') > 0, concat({p8:String}, substringUTF8(JSONExtractRaw(output, 'output', -1), 1, {p1:Int64})), JSONExtractString(output, 'role') = 'assistant' AND JSONLength(output, 'content') > 0, concat({p9:String}, substringUTF8(JSONExtractRaw(output, 'content'), 1, {p1:Int64})), substringUTF8(output, 1, {p1:Int64})) AS preview_output
FROM calls FINAL WHERE project_id = {p10:String} AND (started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p10:String} AND 1
ORDER BY started_at, id LIMIT {p11:Int64} OFFSET {p12:Int64})
ORDER BY started_at, id
-- {"p0":1000000,"p1":100,"p2":"messages","p3":"contents","p4":400,"p5":"^\\{\\s*\"self\"\\s*:\\s*\"weave:///[^\"]*\"\\s*,\\s*","p6":"{\"choices\":[{\"message\":","p7":"{\"candidates\":[{\"content\":","p8":"{\"output\":[","p9":"{\"role\":\"assistant\",\"content\":","p10":"acme/demo","p11":10,"p12":5}
