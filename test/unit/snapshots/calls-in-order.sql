-- candidates in time order: newest first
SELECT id, toUnixTimestamp64Micro(started_at) AS started
FROM calls WHERE project_id = {p0:String} AND is_deleted = 0 AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND (((usage_extracted = 0 OR json_fields.{p3:Identifier} = {p4:String} OR json_fields.{p5:Identifier} IN ({p6:String}, {p4:String})) OR (substring(json_fields.{p5:Identifier}, 2) = {p7:String})))
ORDER BY started_at DESC, id DESC LIMIT {p8:Int64} SETTINGS optimize_read_in_order = 0
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":"key_inputs","p4":"*","p5":"key_inputs.model","p6":".","p7":"x' OR 1=1 --","p8":64}

-- candidates in time order: after a position
SELECT id, toUnixTimestamp64Micro(started_at) AS started
FROM calls WHERE project_id = {p0:String} AND is_deleted = 0 AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND (((usage_extracted = 0 OR json_fields.{p3:Identifier} = {p4:String} OR json_fields.{p5:Identifier} IN ({p6:String}, {p4:String})) OR (substring(json_fields.{p5:Identifier}, 2) = {p7:String}))) AND (started_at >= fromUnixTimestamp64Micro({p8:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p8:Int64}, 'UTC'), {p7:String}))
ORDER BY started_at, id LIMIT {p9:Int64} SETTINGS optimize_read_in_order = 0
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":"key_inputs","p4":"*","p5":"key_inputs.model","p6":".","p7":"x' OR 1=1 --","p8":"1700000000000000","p9":64}

-- candidates in time order: a range
SELECT id, toUnixTimestamp64Micro(started_at) AS started
FROM calls WHERE project_id = {p0:String} AND is_deleted = 0 AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND (((usage_extracted = 0 OR json_fields.{p3:Identifier} = {p4:String} OR json_fields.{p5:Identifier} IN ({p6:String}, {p4:String})) OR (substring(json_fields.{p5:Identifier}, 2) = {p7:String}))) AND (started_at < fromUnixTimestamp64Micro({p8:Int64}, 'UTC')) AND (started_at >= fromUnixTimestamp64Micro({p9:Int64}, 'UTC'))
ORDER BY started_at DESC, id DESC LIMIT {p10:Int64} SETTINGS optimize_read_in_order = 0
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":"key_inputs","p4":"*","p5":"key_inputs.model","p6":".","p7":"x' OR 1=1 --","p8":"1700000000000000","p9":"1","p10":64}

-- calls in scan window
SELECT id, project_id, trace_id, op_name, started_at
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT DISTINCT started_at, id FROM calls WHERE project_id = {p0:String} AND is_deleted = 0 AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND (((usage_extracted = 0 OR json_fields.{p3:Identifier} = {p4:String} OR json_fields.{p5:Identifier} IN ({p6:String}, {p4:String})) OR (substring(json_fields.{p5:Identifier}, 2) = {p7:String}))) AND (started_at >= fromUnixTimestamp64Micro({p8:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p8:Int64}, 'UTC'), {p7:String})) AND (started_at <= fromUnixTimestamp64Micro({p9:Int64}, 'UTC'))
ORDER BY started_at, id LIMIT {p10:Int64}) AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND ((JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p11:String}) = {p7:String}))
ORDER BY started_at, id LIMIT {p12:Int64} SETTINGS optimize_read_in_order = 0
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":"key_inputs","p4":"*","p5":"key_inputs.model","p6":".","p7":"x' OR 1=1 --","p8":"1700000000000000","p9":"1","p10":57,"p11":"model","p12":50}

-- matching candidates
SELECT id, project_id, trace_id, op_name, started_at
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT fromUnixTimestamp64Micro(entry.1, 'UTC'), entry.2 FROM (SELECT arrayJoin(arrayZip({p1:Array(Int64)}, {p2:Array(String)})) AS entry)) AND (trace_id IN {p3:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p4:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p4:Array(String)}).2) AND ((JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p5:String}) = {p6:String}))
ORDER BY started_at DESC, id DESC
-- {"p0":"acme/demo","p1":["1700000000000000"],"p2":["x' OR 1=1 --"],"p3":["x' OR 1=1 --"],"p4":["x' OR 1=1 --"],"p5":"model","p6":"x' OR 1=1 --"}

-- candidates in time order: traces only
SELECT id, toUnixTimestamp64Micro(started_at) AS started, if(parent_id = '', NULL, trace_id) AS orphan_trace_id
FROM calls WHERE project_id = {p0:String} AND is_deleted = 0 AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND (((usage_extracted = 0 OR json_fields.{p3:Identifier} = {p4:String} OR json_fields.{p5:Identifier} IN ({p6:String}, {p4:String})) OR (substring(json_fields.{p5:Identifier}, 2) = {p7:String}))) AND (started_at <= fromUnixTimestamp64Micro({p8:Int64}, 'UTC') AND (started_at, id) < (fromUnixTimestamp64Micro({p8:Int64}, 'UTC'), {p7:String})) AND (started_at >= fromUnixTimestamp64Micro({p9:Int64}, 'UTC')) AND ((parent_id = '' OR (started_at, id) IN (SELECT head.1, head.2 FROM (
    SELECT argMin((started_at, id), ((trace_id, parent_id) IN (SELECT trace_id, id FROM calls FINAL WHERE project_id = {p0:String} AND (started_at <= fromUnixTimestamp64Micro({p8:Int64}, 'UTC') AND (started_at, id) < (fromUnixTimestamp64Micro({p8:Int64}, 'UTC'), {p7:String})) AND (started_at >= fromUnixTimestamp64Micro({p9:Int64}, 'UTC'))), started_at, id)) AS head FROM calls FINAL WHERE project_id = {p0:String} AND (started_at <= fromUnixTimestamp64Micro({p8:Int64}, 'UTC') AND (started_at, id) < (fromUnixTimestamp64Micro({p8:Int64}, 'UTC'), {p7:String})) AND (started_at >= fromUnixTimestamp64Micro({p9:Int64}, 'UTC'))
    GROUP BY trace_id HAVING min(parent_id) != ''))))
ORDER BY started_at DESC, id DESC LIMIT {p10:Int64} SETTINGS optimize_read_in_order = 0
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":"key_inputs","p4":"*","p5":"key_inputs.model","p6":".","p7":"x' OR 1=1 --","p8":"1700000000000000","p9":"1","p10":64}

-- matching candidates: traces only
SELECT id, project_id, trace_id, op_name, started_at
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT fromUnixTimestamp64Micro(entry.1, 'UTC'), entry.2 FROM (SELECT arrayJoin(arrayZip({p1:Array(Int64)}, {p2:Array(String)})) AS entry)) AND (trace_id IN {p3:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p4:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p4:Array(String)}).2) AND ((JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p5:String}) = {p6:String})) AND ((parent_id = '' OR (started_at, id) IN (SELECT head.1, head.2 FROM (
    SELECT min((started_at, id)) AS head FROM calls FINAL WHERE project_id = {p0:String} AND trace_id IN {p7:Array(String)} AND trace_id NOT IN (SELECT trace_id FROM calls FINAL WHERE project_id = {p0:String} AND trace_id IN {p7:Array(String)} AND parent_id = '')
      AND (trace_id, parent_id) NOT IN (SELECT trace_id, id FROM calls FINAL WHERE project_id = {p0:String} AND trace_id IN {p7:Array(String)})
    GROUP BY trace_id))))
ORDER BY started_at DESC, id DESC
-- {"p0":"acme/demo","p1":["1700000000000000"],"p2":["x' OR 1=1 --"],"p3":["x' OR 1=1 --"],"p4":["x' OR 1=1 --"],"p5":"model","p6":"x' OR 1=1 --","p7":["x' OR 1=1 --"]}

-- calls counted by extracted fields
SELECT countIf((substring(json_fields.{p0:Identifier}, 2) = {p1:String})) AS count, countIf((usage_extracted = 0 OR (json_fields.{p0:Identifier} IN ({p2:String}, {p3:String})))) AS needs_documents,
  countIf((json_fields.{p0:Identifier} = '')) AS undecided
FROM calls FINAL WHERE project_id = {p4:String} AND (trace_id IN {p5:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p4:String} AND trace_id IN {p6:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p4:String} AND trace_id IN {p6:Array(String)}).2)
-- {"p0":"key_inputs.model","p1":"x' OR 1=1 --","p2":".","p3":"*","p4":"acme/demo","p5":["x' OR 1=1 --"],"p6":["x' OR 1=1 --"]}

-- calls not extracted
SELECT 1 AS found FROM calls WHERE project_id = {p0:String} AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND ((json_fields.{p3:Identifier} = {p4:String})) LIMIT 1
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":"key_inputs","p4":"*"}
