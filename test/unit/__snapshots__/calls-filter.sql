-- {"op_names":["predict","weave:///a/b/op/predict:*"]}
-- p0=["predict"] p1=["weave:///a/b/op/predict:"]
op_name IN {p0:Array(String)} OR arrayExists(prefix -> startsWith(op_name, prefix), {p1:Array(String)})

-- {"input_refs":["weave:///a/b/object/x:1","weave:///a/b/object/y:*"],"output_refs":["weave:///a/b/object/z:1"]}
-- p0=["weave:///a/b/object/x:1"] p1=["weave:///a/b/object/y:"] p2=["weave:///a/b/object/z:1"]
hasAny(input_refs, {p0:Array(String)}) OR arrayExists(ref -> arrayExists(prefix -> startsWith(ref, prefix), {p1:Array(String)}), input_refs)
AND hasAny(output_refs, {p2:Array(String)})

-- {"trace_ids":["t"],"parent_ids":["p"],"call_ids":["c"],"turn_ids":[],"wb_user_ids":["u"]}
-- p0=["p"] p1=["t"] p2=["c"] p3=["u"]
parent_id IN {p0:Array(String)}
AND trace_id IN {p1:Array(String)}
AND id IN {p2:Array(String)}
AND wb_user_id IN {p3:Array(String)}

-- {"thread_ids":[]}
0

-- {"thread_ids":["t"],"trace_roots_only":true}
-- p0=["t"]
thread_id IN {p0:Array(String)}
AND parent_id = ''

-- {"wb_run_ids":["a/b/run","run"]}
-- p0=["a/b/run","run"] p1=["run"] p2=["a/b/run"]
wb_run_id IN {p0:Array(String)} OR (startsWith(wb_run_id, concat(project_id, '/')) AND substring(wb_run_id, length(project_id) + 2) IN {p1:Array(String)}) OR (wb_run_id != '' AND concat(project_id, '/', wb_run_id) IN {p2:Array(String)})
