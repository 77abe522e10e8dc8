-- started_at desc
started_at DESC

-- ended_at desc
ended_at DESC NULLS LAST

-- parent_id desc
nullIf(parent_id, '') DESC NULLS LAST

-- output.score desc
-- p0="score"
(JSONHas(if(output_normalized = '', output, output_normalized), {p0:String}) AND JSONType(if(output_normalized = '', output, output_normalized), {p0:String}) != 'Null') DESC,
toFloat64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String})) DESC NULLS LAST,
JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String}) DESC

-- summary.weave.latency_ms desc
intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000) DESC NULLS LAST

-- feedback.[wandb.note.1].payload.note desc
-- p0=25 p1="acme/demo" p2="weave:///acme/demo/call/" p3="wandb.note.1" p4="note"
(JSONHas(transform(id, (SELECT groupArray(call_id) FROM (SELECT substring(weave_ref, {p0:Int64}) AS call_id FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} AND (JSONHas(if(payload_normalized = '', payload, payload_normalized), {p4:String}) AND JSONType(if(payload_normalized = '', payload, payload_normalized), {p4:String}) != 'Null') ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), (SELECT groupArray(value) FROM (SELECT if(payload_normalized = '', payload, payload_normalized) AS value FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} AND (JSONHas(if(payload_normalized = '', payload, payload_normalized), {p4:String}) AND JSONType(if(payload_normalized = '', payload, payload_normalized), {p4:String}) != 'Null') ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), ''), {p4:String}) AND JSONType(transform(id, (SELECT groupArray(call_id) FROM (SELECT substring(weave_ref, {p0:Int64}) AS call_id FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} AND (JSONHas(if(payload_normalized = '', payload, payload_normalized), {p4:String}) AND JSONType(if(payload_normalized = '', payload, payload_normalized), {p4:String}) != 'Null') ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), (SELECT groupArray(value) FROM (SELECT if(payload_normalized = '', payload, payload_normalized) AS value FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} AND (JSONHas(if(payload_normalized = '', payload, payload_normalized), {p4:String}) AND JSONType(if(payload_normalized = '', payload, payload_normalized), {p4:String}) != 'Null') ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), ''), {p4:String}) != 'Null') DESC,
toFloat64OrNull(JSONExtractString(transform(id, (SELECT groupArray(call_id) FROM (SELECT substring(weave_ref, {p0:Int64}) AS call_id FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} AND (JSONHas(if(payload_normalized = '', payload, payload_normalized), {p4:String}) AND JSONType(if(payload_normalized = '', payload, payload_normalized), {p4:String}) != 'Null') ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), (SELECT groupArray(value) FROM (SELECT if(payload_normalized = '', payload, payload_normalized) AS value FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} AND (JSONHas(if(payload_normalized = '', payload, payload_normalized), {p4:String}) AND JSONType(if(payload_normalized = '', payload, payload_normalized), {p4:String}) != 'Null') ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), ''), {p4:String})) DESC NULLS LAST,
JSONExtractString(transform(id, (SELECT groupArray(call_id) FROM (SELECT substring(weave_ref, {p0:Int64}) AS call_id FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} AND (JSONHas(if(payload_normalized = '', payload, payload_normalized), {p4:String}) AND JSONType(if(payload_normalized = '', payload, payload_normalized), {p4:String}) != 'Null') ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), (SELECT groupArray(value) FROM (SELECT if(payload_normalized = '', payload, payload_normalized) AS value FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} AND (JSONHas(if(payload_normalized = '', payload, payload_normalized), {p4:String}) AND JSONType(if(payload_normalized = '', payload, payload_normalized), {p4:String}) != 'Null') ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), ''), {p4:String}) DESC

-- annotation_queue_items.queue_id desc
-- p0="acme/demo"
nullIf(transform(id, (SELECT groupArray(call_id) FROM (SELECT call_id, min(queue_id) AS first_id FROM queue_items FINAL WHERE project_id = {p0:String} AND queue_id IN (SELECT queues.id FROM queues FINAL WHERE project_id = {p0:String}) GROUP BY call_id ORDER BY call_id)), (SELECT groupArray(first_id) FROM (SELECT call_id, min(queue_id) AS first_id FROM queue_items FINAL WHERE project_id = {p0:String} AND queue_id IN (SELECT queues.id FROM queues FINAL WHERE project_id = {p0:String}) GROUP BY call_id ORDER BY call_id)), ''), '') DESC NULLS LAST
