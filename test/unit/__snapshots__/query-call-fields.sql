-- {"$eq": [{"$getField": "id"}, {"$literal": "c1"}]}
-- p0="c1"
(id = {p0:String})

-- {"$eq": [{"$getField": "parent_id"}, {"$literal": "p1"}]}
-- p0="p1"
(parent_id = {p0:String})

-- {"$eq": [{"$getField": "parent_id"}, {"$literal": null}]}
(parent_id = '')

-- {"$not": [{"$eq": [{"$getField": "parent_id"}, {"$literal": "p1"}]}]}
-- p0="p1"
(NOT (nullIf(parent_id, '') = {p0:String}))

-- {"$eq": [{"$getField": "exception"}, {"$literal": null}]}
isNull(exception)

-- {"$eq": [{"$getField": "wb_run_step"}, {"$literal": 5}]}
-- p0="5"
(wb_run_step = {p0:Int64})

-- {"$gte": [{"$getField": "started_at"}, {"$literal": 1700000000.5}]}
-- p0="1700000000500000"
(started_at >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC'))

-- {"$lt": [{"$getField": "ended_at"}, {"$literal": "2026-11-15"}]}
-- p0="1794700800000000"
(ended_at < fromUnixTimestamp64Micro({p0:Int64}, 'UTC'))

-- {"$eq": [{"$getField": "inputs"}, {"$literal": "{}"}]}
-- p0="{}"
(JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized)) = {p0:String})

-- {"$eq": [{"$getField": "inputs.a\\.b.0.name"}, {"$literal": "x"}]}
-- p0="a.b" p1="name" p2=1 p3="0" p4="x"
(arrayMap(i0 -> JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p0:String}, i0, {p1:String}), [if(JSONType(if(inputs_normalized = '', inputs, inputs_normalized), {p0:String}) = 'Array', {p2:UInt64}, indexOf(JSONExtractKeys(if(inputs_normalized = '', inputs, inputs_normalized), {p0:String}), {p3:String}))])[1] = {p4:String})

-- {"$eq": [{"$getField": "attributes.otel_span.name"}, {"$literal": "x"}]}
-- p0="name" p1="x"
(JSONExtractString(if(otel_dump != '', otel_dump, JSONExtractRaw(attributes, 'otel_span')), {p0:String}) = {p1:String})

-- {"$eq": [{"$getField": "summary.weave.status"}, {"$literal": "error"}]}
-- p0="error"
(multiIf(ifNull(exception, '') != '', 'error', toFloat64OrNull(JSONExtractString(if(summary_normalized = '', summary, summary_normalized), 'status_counts', 'error')) > 0, 'descendant_error', isNull(ended_at), 'running', 'success') = {p0:String})

-- {"$gt": [{"$getField": "summary.weave.latency_ms"}, {"$literal": 1000}]}
-- p0="1000"
(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000) > {p0:Int64})

-- {"$eq": [{"$getField": "summary.weave.trace_name"}, {"$literal": "predict"}]}
-- p0="^weave:///[^/]+/[^/]+/op/([^/]+):[^/:]+$" p1="predict"
(coalesce(nullIf(display_name, ''), nullIf(extract(op_name, {p0:String}), ''), op_name) = {p1:String})

-- {"$eq": [{"$getField": "feedback.[wandb.reaction.1].payload.emoji"}, {"$literal": "👍"}]}
-- p0=25 p1="acme/demo" p2="weave:///acme/demo/call/" p3="wandb.reaction.1" p4="emoji" p5="👍"
(id IN (SELECT substring(weave_ref, {p0:Int64}) FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} AND (JSONExtractString(if(payload_normalized = '', payload, payload_normalized), {p4:String}) = {p5:String})))

-- {"$eq": [{"$getField": "feedback.[wandb.runnable.judge].payload.output.score"}, {"$literal": 1}]}
-- p0=25 p1="acme/demo" p2="weave:///acme/demo/call/" p3="wandb.runnable.judge" p4="output" p5="score" p6="1"
(toInt64OrNull(JSONExtractString(transform(id, (SELECT groupArray(call_id) FROM (SELECT substring(weave_ref, {p0:Int64}) AS call_id FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), (SELECT groupArray(value) FROM (SELECT if(payload_normalized = '', payload, payload_normalized) AS value FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), ''), {p4:String}, {p5:String})) = {p6:Int64})

-- {"$eq": [{"$getField": "feedback.[*].runnable_ref"}, {"$literal": "weave:///a/b/op/judge:v1"}]}
-- p0=25 p1="acme/demo" p2="weave:///acme/demo/call/" p3="weave:///a/b/op/judge:v1"
(id IN (SELECT substring(weave_ref, {p0:Int64}) FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND (runnable_ref = {p3:String})))

-- {"$eq": [{"$getField": "annotation_queue_items.queue_id"}, {"$literal": "q"}]}
-- p0="acme/demo" p1="q"
(id IN (SELECT call_id FROM queue_items FINAL WHERE project_id = {p0:String} AND queue_id IN (SELECT queues.id FROM queues FINAL WHERE project_id = {p0:String}) AND (queue_id = {p1:String})))

-- {"$eq": [{"$getField": "deleted_at"}, {"$literal": null}]}
isNull(CAST(NULL AS Nullable(DateTime64(6, 'UTC'))))
