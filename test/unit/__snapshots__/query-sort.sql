-- started_at desc
started_at DESC

-- ended_at desc
ended_at DESC NULLS LAST

-- parent_id desc
nullIf(parent_id, '') DESC NULLS LAST

-- output.score desc
-- p0="score" p1="score" p2="score" p3="score"
(JSONHas(if(output_query_form = '', output, output_query_form), {p0:String}) AND JSONType(if(output_query_form = '', output, output_query_form), {p1:String}) != 'Null') DESC,
toFloat64OrNull(JSONExtractString(if(output_query_form = '', output, output_query_form), {p2:String})) DESC NULLS LAST,
JSONExtractString(if(output_query_form = '', output, output_query_form), {p3:String}) DESC

-- summary.weave.latency_ms desc
intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000) DESC NULLS LAST

-- feedback.[wandb.note.1].payload.note desc
-- p0=25 p1="acme/demo" p2="weave:///acme/demo/call/" p3="wandb.note.1" p4="acme/demo" p5="weave:///acme/demo/call/" p6="wandb.note.1" p7="note" p8=25 p9="acme/demo" p10="weave:///acme/demo/call/" p11="wandb.note.1" p12="acme/demo" p13="weave:///acme/demo/call/" p14="wandb.note.1" p15="note" p16=25 p17="acme/demo" p18="weave:///acme/demo/call/" p19="wandb.note.1" p20="acme/demo" p21="weave:///acme/demo/call/" p22="wandb.note.1" p23="note" p24=25 p25="acme/demo" p26="weave:///acme/demo/call/" p27="wandb.note.1" p28="acme/demo" p29="weave:///acme/demo/call/" p30="wandb.note.1" p31="note"
(JSONHas(transform(id, (SELECT groupArray(call_id) FROM (SELECT substring(weave_ref, {p0:Int64}) AS call_id FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), (SELECT groupArray(value) FROM (SELECT if(payload_query_form = '', payload, payload_query_form) AS value FROM feedback FINAL WHERE project_id = {p4:String} AND startsWith(weave_ref, {p5:String}) AND feedback_type = {p6:String} ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), ''), {p7:String}) AND JSONType(transform(id, (SELECT groupArray(call_id) FROM (SELECT substring(weave_ref, {p8:Int64}) AS call_id FROM feedback FINAL WHERE project_id = {p9:String} AND startsWith(weave_ref, {p10:String}) AND feedback_type = {p11:String} ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), (SELECT groupArray(value) FROM (SELECT if(payload_query_form = '', payload, payload_query_form) AS value FROM feedback FINAL WHERE project_id = {p12:String} AND startsWith(weave_ref, {p13:String}) AND feedback_type = {p14:String} ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), ''), {p15:String}) != 'Null') DESC,
toFloat64OrNull(JSONExtractString(transform(id, (SELECT groupArray(call_id) FROM (SELECT substring(weave_ref, {p16:Int64}) AS call_id FROM feedback FINAL WHERE project_id = {p17:String} AND startsWith(weave_ref, {p18:String}) AND feedback_type = {p19:String} ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), (SELECT groupArray(value) FROM (SELECT if(payload_query_form = '', payload, payload_query_form) AS value FROM feedback FINAL WHERE project_id = {p20:String} AND startsWith(weave_ref, {p21:String}) AND feedback_type = {p22:String} ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), ''), {p23:String})) DESC NULLS LAST,
JSONExtractString(transform(id, (SELECT groupArray(call_id) FROM (SELECT substring(weave_ref, {p24:Int64}) AS call_id FROM feedback FINAL WHERE project_id = {p25:String} AND startsWith(weave_ref, {p26:String}) AND feedback_type = {p27:String} ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), (SELECT groupArray(value) FROM (SELECT if(payload_query_form = '', payload, payload_query_form) AS value FROM feedback FINAL WHERE project_id = {p28:String} AND startsWith(weave_ref, {p29:String}) AND feedback_type = {p30:String} ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref)), ''), {p31:String}) DESC
