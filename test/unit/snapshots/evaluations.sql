-- score samples
SELECT JSONExtractRaw(if(output_normalized = '', output, output_normalized), {p0:String}) AS scores FROM calls FINAL WHERE project_id = {p1:String} AND (op_name IN {p2:Array(String)} OR arrayExists(prefix -> startsWith(op_name, prefix), {p3:Array(String)})) AND (parent_id IN {p4:Array(String)}) AND scores != ''
LIMIT {p5:Int64} BY parent_id
-- {"p0":"scores","p1":"acme/demo","p2":["Evaluation.predict_and_score","Evaluation.predictAndScore"],"p3":["weave:///acme/demo/op/Evaluation.predict_and_score:","weave:///acme/demo/op/Evaluation.predictAndScore:"],"p4":["x' OR 1=1 --","run"],"p5":200}

-- example scores
SELECT key, if(minIf(v0, is_run = 1) != maxIf(v0, is_run = 1) OR minIf(v1, is_run = 1) != maxIf(v1, is_run = 1), anyIf(id, is_run = 1), '') AS call_id, [ifNull(sumIf(v0, is_run = 0), 0), toFloat64(countIf(v0, is_run = 0)), ifNull(sumIf(v0, is_run = 1), 0), toFloat64(countIf(v0, is_run = 1)), ifNull(sumIf(v1, is_run = 0), 0), toFloat64(countIf(v1, is_run = 0)), ifNull(sumIf(v1, is_run = 1), 0), toFloat64(countIf(v1, is_run = 1))] AS s
FROM (SELECT id, if(match(JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p0:String}), '/attr/rows/id/[^/]+$'), extract(JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p0:String}), '/attr/rows/id/([^/]+)$'), lower(hex(sipHash128(JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p0:String}))))) AS key, parent_id = {p1:String} AS is_run, if(output_normalized = '', output, output_normalized) AS document, JSONExtractRaw(document, 'scores') AS scores, if(isFinite(toFloat64OrZero(JSONExtractRaw(scores, {p2:String}, {p3:String}))), transform(JSONExtractRaw(scores, {p2:String}, {p3:String}), ['true', 'false'], [1., 0.], toFloat64OrNull(JSONExtractRaw(scores, {p2:String}, {p3:String}))), NULL) AS v0, if(isFinite(toFloat64OrZero(JSONExtractRaw(scores, {p4:String}))), transform(JSONExtractRaw(scores, {p4:String}), ['true', 'false'], [1., 0.], toFloat64OrNull(JSONExtractRaw(scores, {p4:String}))), NULL) AS v1
FROM calls FINAL WHERE project_id = {p5:String} AND (op_name IN {p6:Array(String)} OR arrayExists(prefix -> startsWith(op_name, prefix), {p7:Array(String)})) AND (parent_id IN {p8:Array(String)}))
GROUP BY key ORDER BY key
-- {"p0":"example","p1":"run","p2":"exact","p3":"x' OR 1=1 --","p4":"length","p5":"acme/demo","p6":["Evaluation.predict_and_score","Evaluation.predictAndScore"],"p7":["weave:///acme/demo/op/Evaluation.predict_and_score:","weave:///acme/demo/op/Evaluation.predictAndScore:"],"p8":["x' OR 1=1 --","run"]}

-- score variances
SELECT metric, sum(between) AS answers, sum(within) AS judge, toFloat64(sum(answer_count - 1)) AS answersDegrees,
  toFloat64(sum(score_count - answer_count)) AS judgeDegrees, toFloat64(sum(score_count)) AS scores, sum(crowded) AS crowding, toFloat64(sum(repeats)) AS repeated
FROM (
  SELECT metric, key, count() AS answer_count, sum(n) AS score_count, sum(squares) AS within,
    greatest(0, sum(n * mean * mean) - pow(sum(n * mean), 2) / sum(n)) AS between, sum(n * n) / sum(n) AS crowded, countIf(n > 1) AS repeats
  FROM (
    SELECT metric, key, answer, count() AS n, avg(value) AS mean, varPopStable(value) * count() AS squares
    FROM (SELECT key, sipHash64(JSONExtractRaw(document, 'output')) AS answer, [v0, v1] AS list FROM (SELECT id, if(match(JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p0:String}), '/attr/rows/id/[^/]+$'), extract(JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p0:String}), '/attr/rows/id/([^/]+)$'), lower(hex(sipHash128(JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p0:String}))))) AS key, parent_id = {p1:String} AS is_run, if(output_normalized = '', output, output_normalized) AS document, JSONExtractRaw(document, 'scores') AS scores, if(isFinite(toFloat64OrZero(JSONExtractRaw(scores, {p2:String}, {p3:String}))), transform(JSONExtractRaw(scores, {p2:String}, {p3:String}), ['true', 'false'], [1., 0.], toFloat64OrNull(JSONExtractRaw(scores, {p2:String}, {p3:String}))), NULL) AS v0, if(isFinite(toFloat64OrZero(JSONExtractRaw(scores, {p4:String}))), transform(JSONExtractRaw(scores, {p4:String}), ['true', 'false'], [1., 0.], toFloat64OrNull(JSONExtractRaw(scores, {p4:String}))), NULL) AS v1
FROM calls FINAL WHERE project_id = {p5:String} AND (op_name IN {p6:Array(String)} OR arrayExists(prefix -> startsWith(op_name, prefix), {p7:Array(String)})) AND (parent_id IN {p8:Array(String)})) WHERE is_run = 1)
    ARRAY JOIN list AS value, arrayEnumerate(list) AS metric
    WHERE isNotNull(value)
    GROUP BY metric, key, answer
  )
  GROUP BY metric, key HAVING score_count > 1
)
GROUP BY metric ORDER BY metric
-- {"p0":"example","p1":"run","p2":"exact","p3":"x' OR 1=1 --","p4":"length","p5":"acme/demo","p6":["Evaluation.predict_and_score","Evaluation.predictAndScore"],"p7":["weave:///acme/demo/op/Evaluation.predict_and_score:","weave:///acme/demo/op/Evaluation.predictAndScore:"],"p8":["x' OR 1=1 --","run"]}

-- run records
SELECT substring(weave_ref, {p0:Int64}) AS run, wb_user_id AS user, created_at AS at, payload
FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} ORDER BY created_at DESC, id DESC LIMIT {p4:Int64}
-- {"p0":25,"p1":"acme/demo","p2":"weave:///acme/demo/call/","p3":"x' OR 1=1 --","p4":200}

-- labeled scores
SELECT call_id, version, score, label FROM (SELECT weave_ref, substring(weave_ref, {p0:Int64}) AS call_id, ifNull(runnable_ref, '') AS version, transform(JSONExtractRaw(if(payload_normalized = '', payload, payload_normalized), {p1:String}, {p2:String}, {p3:String}), ['true', 'false'], [1., 0.], toFloat64OrNull(JSONExtractRaw(if(payload_normalized = '', payload, payload_normalized), {p1:String}, {p2:String}, {p3:String}))) AS score, created_at
FROM feedback FINAL WHERE project_id = {p4:String} AND startsWith(weave_ref, {p5:String}) AND feedback_type = {p6:String} AND isNotNull(score)
ORDER BY created_at DESC, id DESC LIMIT 1 BY weave_ref, version) AS scores
INNER JOIN (SELECT weave_ref, avg(value >= {p7:Float64}) AS label FROM (
    SELECT weave_ref, transform(JSONExtractRaw(if(payload_normalized = '', payload, payload_normalized), {p8:String}, {p3:String}), ['true', 'false'], [1., 0.], toFloat64OrNull(JSONExtractRaw(if(payload_normalized = '', payload, payload_normalized), {p8:String}, {p3:String}))) AS value FROM feedback FINAL WHERE project_id = {p4:String} AND startsWith(weave_ref, {p5:String}) AND feedback_type = {p9:String} AND isNotNull(value)
    ORDER BY created_at DESC, id DESC LIMIT 1 BY weave_ref, wb_user_id)
  GROUP BY weave_ref HAVING label != 0.5) AS labels USING (weave_ref)
ORDER BY created_at DESC, call_id LIMIT {p10:Int64}
-- {"p0":25,"p1":"output","p2":"score","p3":"x' OR 1=1 --","p4":"acme/demo","p5":"weave:///acme/demo/call/","p6":"wandb.runnable.x' OR 1=1 --","p7":0.5,"p8":"value","p9":"wandb.annotation.x' OR 1=1 --","p10":20000}

-- judged calls
SELECT version, toFloat64(count()) AS judged, toFloat64(countIf(score >= {p0:Float64})) AS yes
FROM (SELECT weave_ref, substring(weave_ref, {p1:Int64}) AS call_id, ifNull(runnable_ref, '') AS version, transform(JSONExtractRaw(if(payload_normalized = '', payload, payload_normalized), {p2:String}, {p3:String}, {p4:String}), ['true', 'false'], [1., 0.], toFloat64OrNull(JSONExtractRaw(if(payload_normalized = '', payload, payload_normalized), {p2:String}, {p3:String}, {p4:String}))) AS score, created_at
FROM feedback FINAL WHERE project_id = {p5:String} AND startsWith(weave_ref, {p6:String}) AND feedback_type = {p7:String} AND isNotNull(score)
ORDER BY created_at DESC, id DESC LIMIT 1 BY weave_ref, version) GROUP BY version ORDER BY max(created_at) DESC LIMIT {p8:Int64}
-- {"p0":0.5,"p1":25,"p2":"output","p3":"score","p4":"x' OR 1=1 --","p5":"acme/demo","p6":"weave:///acme/demo/call/","p7":"wandb.runnable.x' OR 1=1 --","p8":200}

-- scorers
SELECT substring(feedback_type, {p0:Int64}) AS scorer, toFloat64(uniqExact(runnable_ref)) AS versions,
  toFloat64(uniqExact(weave_ref)) AS judged, toFloat64(uniqExactIf(weave_ref, notEmpty(names))) AS labeled, arraySort(groupUniqArrayArray(20)(names)) AS labels
FROM (SELECT weave_ref, feedback_type, runnable_ref FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND startsWith(feedback_type, {p3:String})) AS scores
LEFT JOIN (SELECT weave_ref, groupUniqArray(20)(substring(feedback_type, {p4:Int64})) AS names
  FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND startsWith(feedback_type, {p5:String}) GROUP BY weave_ref) AS labels USING (weave_ref)
GROUP BY scorer ORDER BY scorer LIMIT {p6:Int64}
-- {"p0":16,"p1":"acme/demo","p2":"weave:///acme/demo/call/","p3":"wandb.runnable.","p4":18,"p5":"wandb.annotation.","p6":200}
