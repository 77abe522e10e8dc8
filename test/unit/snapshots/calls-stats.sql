-- time buckets
SELECT DISTINCT (intDiv(toUnixTimestamp64Micro(toDateTime64((intDiv(toUnixTimestamp64Micro(fromUnixTimestamp64Micro({p0:Int64}, 'UTC')), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(fromUnixTimestamp64Micro({p1:Int64}, 'UTC')), 1000000), {p2:Int64})) + number * {p3:Int64} + {p4:Int64}, 6, 'UTC')), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(toDateTime64((intDiv(toUnixTimestamp64Micro(fromUnixTimestamp64Micro({p5:Int64}, 'UTC')), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(fromUnixTimestamp64Micro({p6:Int64}, 'UTC')), 1000000), {p7:Int64})) + number * {p8:Int64} + {p9:Int64}, 6, 'UTC')), 1000000), {p10:Int64})) AS bucket FROM numbers({p11:Int64}) ORDER BY bucket
-- {"p0":"1000000","p1":"1000000","p2":3600,"p3":3600,"p4":1800,"p5":"1000000","p6":"1000000","p7":3600,"p8":3600,"p9":1800,"p10":3600,"p11":3}

-- time buckets: by the clock of a place
SELECT DISTINCT arrayMap(t -> arrayMap(b -> b + timezoneOffset(toDateTime64(t, 0, {p0:String})) - timezoneOffset(toDateTime64(b, 0, {p1:String})), [t - positiveModulo(t + timezoneOffset(toDateTime64(t, 0, {p2:String})), {p3:Int64})])[1], [intDiv(toUnixTimestamp64Micro(toDateTime64(arrayMap(t -> arrayMap(b -> b + timezoneOffset(toDateTime64(t, 0, {p4:String})) - timezoneOffset(toDateTime64(b, 0, {p5:String})), [t - positiveModulo(t + timezoneOffset(toDateTime64(t, 0, {p6:String})), {p7:Int64})])[1], [intDiv(toUnixTimestamp64Micro(fromUnixTimestamp64Micro({p8:Int64}, 'UTC')), 1000000)])[1] + number * {p9:Int64} + {p10:Int64}, 6, 'UTC')), 1000000)])[1] AS bucket FROM numbers({p11:Int64}) ORDER BY bucket
-- {"p0":"x' OR 1=1 --","p1":"x' OR 1=1 --","p2":"x' OR 1=1 --","p3":3600,"p4":"x' OR 1=1 --","p5":"x' OR 1=1 --","p6":"x' OR 1=1 --","p7":3600,"p8":"1000000","p9":3600,"p10":1800,"p11":3}

-- call stats
SELECT (intDiv(toUnixTimestamp64Micro(started_at), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(started_at), 1000000), {p0:Int64})) AS bucket, count() AS count, toFloat64(avgOrNull(if(ended_at >= started_at, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000), NULL))) AS m0, toFloat64(toFloat64(count(if(ended_at >= started_at, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000), NULL)))) AS m1, toFloat64(quantileExactInclusiveOrNull(0.995000)(if(ended_at >= started_at, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000), NULL))) AS m2, toFloat64(sumOrNull(isNotNull(exception))) AS m3
FROM calls FINAL WHERE project_id = {p1:String} AND (started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC')) AND (op_name IN {p4:Array(String)}) AND (parent_id = '')
GROUP BY bucket ORDER BY bucket
-- {"p0":3600,"p1":"acme/demo","p2":"1000000","p3":"7200000000","p4":["x' OR 1=1 --"]}

-- usage stats
SELECT (intDiv(toUnixTimestamp64Micro(started_at), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(started_at), 1000000), {p0:Int64})) AS bucket, model, count() AS count, toFloat64(sumOrNull(prompt)) AS m0, toFloat64(sumOrNull(total)) AS m1, toFloat64(quantileExactInclusiveOrNull(0.500000)(total)) AS m2
FROM (SELECT started_at, model, prompt, completion, total, cache_read, cache_creation,
  if(cache_read + cache_creation > prompt OR (cache_read + cache_creation > 0 AND total = prompt + completion + cache_read + cache_creation),
    prompt, prompt - cache_read - cache_creation) AS plain_prompt
FROM (SELECT started_at, used.1 AS model, trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, {p1:String})), 0)) + trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, {p2:String})), 0)) AS prompt,
    trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, {p3:String})), 0)) + trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, {p4:String})), 0)) AS completion,
    trunc(toFloat64OrNull(JSONExtractRaw(used.2, 'total_tokens'))) AS total,
    if(JSONType(used.2, {p5:String}) IN ('Int64', 'UInt64', 'Double'), trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, {p6:String})), 0)), trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), {p7:String})), 0))) AS cache_read,
    if(JSONType(used.2, {p8:String}) IN ('Int64', 'UInt64', 'Double'), trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, {p9:String})), 0)), trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), {p10:String})), 0))) AS cache_creation
  FROM (SELECT started_at, arrayJoin(JSONExtractKeysAndValuesRaw(if(summary_query_form = '', summary, summary_query_form), 'usage')) AS used FROM calls FINAL WHERE project_id = {p11:String} AND (started_at >= fromUnixTimestamp64Micro({p12:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p13:Int64}, 'UTC')) AND (op_name IN {p14:Array(String)}) AND (parent_id = '' OR otel_dump != '')) WHERE JSONType(used.2) = 'Object')) GROUP BY bucket, model ORDER BY bucket, model
-- {"p0":3600,"p1":"prompt_tokens","p2":"input_tokens","p3":"completion_tokens","p4":"output_tokens","p5":"cache_read_input_tokens","p6":"cache_read_input_tokens","p7":"cached_tokens","p8":"cache_creation_input_tokens","p9":"cache_creation_input_tokens","p10":"cache_write_tokens","p11":"acme/demo","p12":"1000000","p13":"7200000000","p14":["x' OR 1=1 --"]}

-- usage to price
SELECT (intDiv(toUnixTimestamp64Micro(started_at), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(started_at), 1000000), {p0:Int64})) AS bucket, model,
  arrayCount(change -> change <= toUnixTimestamp64Micro(started_at), {p1:Array(Int64)}) AS stretch, min(started_at) AS moment,
  toInt64(sum(plain_prompt)) AS plain_prompt_sum, toInt64(sum(completion)) AS completion_sum,
  toInt64(sum(cache_read)) AS cache_read_sum, toInt64(sum(cache_creation)) AS cache_creation_sum
FROM (SELECT started_at, model, prompt, completion, total, cache_read, cache_creation,
  if(cache_read + cache_creation > prompt OR (cache_read + cache_creation > 0 AND total = prompt + completion + cache_read + cache_creation),
    prompt, prompt - cache_read - cache_creation) AS plain_prompt
FROM (SELECT started_at, used.1 AS model, trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, {p2:String})), 0)) + trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, {p3:String})), 0)) AS prompt,
    trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, {p4:String})), 0)) + trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, {p5:String})), 0)) AS completion,
    trunc(toFloat64OrNull(JSONExtractRaw(used.2, 'total_tokens'))) AS total,
    if(JSONType(used.2, {p6:String}) IN ('Int64', 'UInt64', 'Double'), trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, {p7:String})), 0)), trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), {p8:String})), 0))) AS cache_read,
    if(JSONType(used.2, {p9:String}) IN ('Int64', 'UInt64', 'Double'), trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, {p10:String})), 0)), trunc(ifNull(toFloat64OrNull(JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), {p11:String})), 0))) AS cache_creation
  FROM (SELECT started_at, arrayJoin(JSONExtractKeysAndValuesRaw(if(summary_query_form = '', summary, summary_query_form), 'usage')) AS used FROM calls FINAL WHERE project_id = {p12:String} AND (started_at >= fromUnixTimestamp64Micro({p13:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p14:Int64}, 'UTC')) AND (op_name IN {p15:Array(String)}) AND (parent_id = '' OR otel_dump != '')) WHERE JSONType(used.2) = 'Object')) GROUP BY bucket, model, stretch ORDER BY bucket, model, stretch
-- {"p0":3600,"p1":["0","5"],"p2":"prompt_tokens","p3":"input_tokens","p4":"completion_tokens","p5":"output_tokens","p6":"cache_read_input_tokens","p7":"cache_read_input_tokens","p8":"cached_tokens","p9":"cache_creation_input_tokens","p10":"cache_creation_input_tokens","p11":"cache_write_tokens","p12":"acme/demo","p13":"1000000","p14":"7200000000","p15":["x' OR 1=1 --"]}

-- threads
SELECT thread_id, toUInt32(count()) AS turn_count, min(started_at) AS start_time, max(ended_at) AS last_updated,
  argMin(id, (started_at, id)) AS first_turn_id, argMax(id, (ended_at, id)) AS last_turn_id,
  quantileExactInclusiveOrNull(0.5)(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS p50_turn_duration_ms,
  quantileExactInclusiveOrNull(0.99)(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS p99_turn_duration_ms
FROM calls FINAL WHERE project_id = {p0:String} AND (id = turn_id) AND (thread_id != '') AND (thread_id IN {p1:Array(String)})
GROUP BY thread_id HAVING (isNotNull(last_updated)) AND (start_time > fromUnixTimestamp64Micro({p2:Int64}, 'UTC')) AND (last_updated < fromUnixTimestamp64Micro({p3:Int64}, 'UTC'))
ORDER BY turn_count desc, thread_id LIMIT {p4:Int64} OFFSET {p5:Int64}
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"1","p3":"2","p4":10,"p5":5}

-- threads: all
SELECT thread_id, toUInt32(count()) AS turn_count, min(started_at) AS start_time, max(ended_at) AS last_updated,
  argMin(id, (started_at, id)) AS first_turn_id, argMax(id, (ended_at, id)) AS last_turn_id,
  quantileExactInclusiveOrNull(0.5)(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS p50_turn_duration_ms,
  quantileExactInclusiveOrNull(0.99)(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS p99_turn_duration_ms
FROM calls FINAL WHERE project_id = {p0:String} AND (id = turn_id) AND (thread_id != '')
GROUP BY thread_id HAVING (isNotNull(last_updated))
ORDER BY last_updated desc, thread_id
-- {"p0":"acme/demo"}
