-- calls in order: from the newest
SELECT id, toUnixTimestamp64Micro(started_at) AS started
FROM calls WHERE project_id = {p0:String} AND is_deleted = 0 AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND (((usage_kept = 0 OR leaves.{p3:Identifier} = {p4:String} OR leaves.{p5:Identifier} IN ({p6:String}, {p4:String})) OR (substring(leaves.{p5:Identifier}, 2) = {p7:String})))
ORDER BY started_at DESC, id DESC LIMIT {p8:Int64} SETTINGS optimize_read_in_order = 0
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":"key_inputs","p4":"*","p5":"key_inputs.model","p6":".","p7":"x' OR 1=1 --","p8":64}

-- calls in order: behind one
SELECT id, toUnixTimestamp64Micro(started_at) AS started
FROM calls WHERE project_id = {p0:String} AND is_deleted = 0 AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND (((usage_kept = 0 OR leaves.{p3:Identifier} = {p4:String} OR leaves.{p5:Identifier} IN ({p6:String}, {p4:String})) OR (substring(leaves.{p5:Identifier}, 2) = {p7:String}))) AND (started_at >= fromUnixTimestamp64Micro({p8:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p8:Int64}, 'UTC'), {p7:String}))
ORDER BY started_at, id LIMIT {p9:Int64} SETTINGS optimize_read_in_order = 0
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":"key_inputs","p4":"*","p5":"key_inputs.model","p6":".","p7":"x' OR 1=1 --","p8":"1700000000000000","p9":64}

-- calls in order: a span
SELECT id, toUnixTimestamp64Micro(started_at) AS started
FROM calls WHERE project_id = {p0:String} AND is_deleted = 0 AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND (((usage_kept = 0 OR leaves.{p3:Identifier} = {p4:String} OR leaves.{p5:Identifier} IN ({p6:String}, {p4:String})) OR (substring(leaves.{p5:Identifier}, 2) = {p7:String}))) AND (started_at < fromUnixTimestamp64Micro({p8:Int64}, 'UTC')) AND (started_at >= fromUnixTimestamp64Micro({p9:Int64}, 'UTC'))
ORDER BY started_at DESC, id DESC LIMIT {p10:Int64} SETTINGS optimize_read_in_order = 0
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":"key_inputs","p4":"*","p5":"key_inputs.model","p6":".","p7":"x' OR 1=1 --","p8":"1700000000000000","p9":"1","p10":64}

-- calls of a span
SELECT id, project_id, trace_id, op_name, started_at
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT DISTINCT started_at, id FROM calls WHERE project_id = {p0:String} AND is_deleted = 0 AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND (((usage_kept = 0 OR leaves.{p3:Identifier} = {p4:String} OR leaves.{p5:Identifier} IN ({p6:String}, {p4:String})) OR (substring(leaves.{p5:Identifier}, 2) = {p7:String}))) AND (started_at >= fromUnixTimestamp64Micro({p8:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p8:Int64}, 'UTC'), {p7:String})) AND (started_at <= fromUnixTimestamp64Micro({p9:Int64}, 'UTC'))
ORDER BY started_at, id LIMIT {p10:Int64}) AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND ((JSONExtractString(if(inputs_query_form = '', inputs, inputs_query_form), {p11:String}) = {p7:String}))
ORDER BY started_at, id LIMIT {p12:Int64} SETTINGS optimize_read_in_order = 0
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":"key_inputs","p4":"*","p5":"key_inputs.model","p6":".","p7":"x' OR 1=1 --","p8":"1700000000000000","p9":"1","p10":57,"p11":"model","p12":50}

-- calls that hold
SELECT id, project_id, trace_id, op_name, started_at
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT fromUnixTimestamp64Micro(place.1, 'UTC'), place.2 FROM (SELECT arrayJoin(arrayZip({p1:Array(Int64)}, {p2:Array(String)})) AS place)) AND (trace_id IN {p3:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p4:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p4:Array(String)}).2) AND ((JSONExtractString(if(inputs_query_form = '', inputs, inputs_query_form), {p5:String}) = {p6:String}))
ORDER BY started_at DESC, id DESC
-- {"p0":"acme/demo","p1":["1700000000000000"],"p2":["x' OR 1=1 --"],"p3":["x' OR 1=1 --"],"p4":["x' OR 1=1 --"],"p5":"model","p6":"x' OR 1=1 --"}

-- calls counted by what is pulled out
SELECT countIf((substring(leaves.{p0:Identifier}, 2) = {p1:String})) AS count, countIf((usage_kept = 0 OR leaves.{p2:Identifier} = {p3:String} OR leaves.{p0:Identifier} IN ({p4:String}, {p3:String}))) AS unsure
FROM calls FINAL WHERE project_id = {p5:String} AND (trace_id IN {p6:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p5:String} AND trace_id IN {p7:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p5:String} AND trace_id IN {p7:Array(String)}).2)
-- {"p0":"key_inputs.model","p1":"x' OR 1=1 --","p2":"key_inputs","p3":"*","p4":".","p5":"acme/demo","p6":["x' OR 1=1 --"],"p7":["x' OR 1=1 --"]}
