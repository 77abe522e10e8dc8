-- time buckets
SELECT DISTINCT (intDiv(toUnixTimestamp64Micro(toDateTime64((intDiv(toUnixTimestamp64Micro(fromUnixTimestamp64Micro({p0:Int64}, 'UTC')), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(fromUnixTimestamp64Micro({p0:Int64}, 'UTC')), 1000000), {p1:Int64})) + number * {p1:Int64} + {p2:Int64}, 6, 'UTC')), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(toDateTime64((intDiv(toUnixTimestamp64Micro(fromUnixTimestamp64Micro({p0:Int64}, 'UTC')), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(fromUnixTimestamp64Micro({p0:Int64}, 'UTC')), 1000000), {p1:Int64})) + number * {p1:Int64} + {p2:Int64}, 6, 'UTC')), 1000000), {p1:Int64})) AS bucket FROM numbers({p3:Int64}) ORDER BY bucket
-- {"p0":"1000000","p1":3600,"p2":1800,"p3":3}

-- time buckets: in a time zone
SELECT DISTINCT arrayMap(t -> arrayMap(b -> b + timezoneOffset(toDateTime64(t, 0, {p0:String})) - timezoneOffset(toDateTime64(b, 0, {p0:String})), [t - positiveModulo(t + timezoneOffset(toDateTime64(t, 0, {p0:String})), {p1:Int64})])[1], [intDiv(toUnixTimestamp64Micro(toDateTime64(arrayMap(t -> arrayMap(b -> b + timezoneOffset(toDateTime64(t, 0, {p0:String})) - timezoneOffset(toDateTime64(b, 0, {p0:String})), [t - positiveModulo(t + timezoneOffset(toDateTime64(t, 0, {p0:String})), {p1:Int64})])[1], [intDiv(toUnixTimestamp64Micro(fromUnixTimestamp64Micro({p2:Int64}, 'UTC')), 1000000)])[1] + number * {p1:Int64} + {p3:Int64}, 6, 'UTC')), 1000000)])[1] AS bucket FROM numbers({p4:Int64}) ORDER BY bucket
-- {"p0":"x' OR 1=1 --","p1":3600,"p2":"1000000","p3":1800,"p4":3}

-- call stats
SELECT (intDiv(toUnixTimestamp64Micro(started_at), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(started_at), 1000000), {p0:Int64})) AS bucket, count() AS count, toFloat64(avgOrNull(if(ended_at >= started_at, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000), NULL))) AS m0, toFloat64(toFloat64(count(if(ended_at >= started_at, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000), NULL)))) AS m1, toFloat64(quantileExactInclusiveOrNull(0.995000)(if(ended_at >= started_at, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000), NULL))) AS m2, toFloat64(sumOrNull(ifNull(exception, '') != '')) AS m3
FROM calls FINAL WHERE project_id = {p1:String} AND (started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC')) AND (op_name IN {p4:Array(String)}) AND (parent_id = '')
GROUP BY bucket ORDER BY bucket
-- {"p0":3600,"p1":"acme/demo","p2":"1000000","p3":"7200000000","p4":["x' OR 1=1 --"]}

-- usage stats
SELECT (intDiv(toUnixTimestamp64Micro(started_at), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(started_at), 1000000), {p0:Int64})) AS bucket, model, count() AS count, toFloat64(sumOrNull(prompt)) AS m0, toFloat64(sumOrNull(if(ifNull(total, 0) = 0, prompt + completion, assumeNotNull(total)))) AS m1, toFloat64(quantileExactInclusiveOrNull(0.500000)(if(ifNull(total, 0) = 0, prompt + completion, assumeNotNull(total)))) AS m2,
  countIf(needs_document) AS needs_documents
FROM (SELECT started_at, model, prompt, completion, total, cache_read, cache_creation, 0 AS needs_document FROM (SELECT started_at, usage.model AS models, usage.prompt AS prompts, usage.completion AS completions, usage.total AS totals, usage.cache_read AS cache_reads, usage.cache_creation AS cache_creations
    FROM calls FINAL WHERE project_id = {p1:String} AND (started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC')) AND (op_name IN {p4:Array(String)}) AND (parent_id = '' OR otel_dump.size != 0) AND (notEmpty(usage.model))) ARRAY JOIN models AS model, prompts AS prompt, completions AS completion, totals AS total, cache_reads AS cache_read, cache_creations AS cache_creation
UNION ALL SELECT * FROM (SELECT started_at, '' AS model, 0 AS prompt, 0 AS completion, NULL AS total, 0 AS cache_read, 0 AS cache_creation, 1 AS needs_document FROM calls FINAL WHERE project_id = {p1:String} AND (started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC')) AND (op_name IN {p4:Array(String)}) AND (parent_id = '' OR otel_dump.size != 0) AND ((usage_extracted = 0)) LIMIT 1)) GROUP BY bucket, model ORDER BY bucket, model
-- {"p0":3600,"p1":"acme/demo","p2":"1000000","p3":"7200000000","p4":["x' OR 1=1 --"]}

-- usage stats: documents too
SELECT (intDiv(toUnixTimestamp64Micro(started_at), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(started_at), 1000000), {p0:Int64})) AS bucket, model, count() AS count, toFloat64(sumOrNull(prompt)) AS m0, toFloat64(sumOrNull(if(ifNull(total, 0) = 0, prompt + completion, assumeNotNull(total)))) AS m1, toFloat64(quantileExactInclusiveOrNull(0.500000)(if(ifNull(total, 0) = 0, prompt + completion, assumeNotNull(total)))) AS m2,
  countIf(needs_document) AS needs_documents
FROM (SELECT started_at, model, prompt, completion, total, cache_read, cache_creation, 0 AS needs_document FROM (SELECT started_at, usage.model AS models, usage.prompt AS prompts, usage.completion AS completions, usage.total AS totals, usage.cache_read AS cache_reads, usage.cache_creation AS cache_creations
    FROM calls FINAL WHERE project_id = {p1:String} AND (started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC')) AND (op_name IN {p4:Array(String)}) AND (parent_id = '' OR otel_dump.size != 0) AND (notEmpty(usage.model) AND NOT (usage_extracted = 0))) ARRAY JOIN models AS model, prompts AS prompt, completions AS completion, totals AS total, cache_reads AS cache_read, cache_creations AS cache_creation
UNION ALL SELECT started_at, model, prompt, completion, total, cache_read, cache_creation, 0 AS needs_document
FROM (SELECT started_at, model, prompt, completion, total, cache_read, cache_creation,
  if(cache_read + cache_creation > prompt OR (cache_read + cache_creation > 0 AND total = prompt + completion + cache_read + cache_creation),
    prompt, prompt - cache_read - cache_creation) AS plain_prompt
  FROM (SELECT started_at, used.1 AS model, trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, {p5:String}), '"'), extract(JSONExtractRaw(used.2, {p5:String}), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, {p5:String}))), 0)) + trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, {p6:String}), '"'), extract(JSONExtractRaw(used.2, {p6:String}), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, {p6:String}))), 0)) AS prompt,
    trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, {p7:String}), '"'), extract(JSONExtractRaw(used.2, {p7:String}), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, {p7:String}))), 0)) + trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, {p8:String}), '"'), extract(JSONExtractRaw(used.2, {p8:String}), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, {p8:String}))), 0)) AS completion,
    trunc(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, 'total_tokens'), '"'), extract(JSONExtractRaw(used.2, 'total_tokens'), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, 'total_tokens')))) AS total,
    if((JSONType(used.2, {p9:String}) IN ('Int64', 'UInt64', 'Double') OR match(JSONExtractRaw(used.2, {p9:String}), '^"[0-9]{1,15}"$')), trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, {p9:String}), '"'), extract(JSONExtractRaw(used.2, {p9:String}), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, {p9:String}))), 0)), trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), {p10:String}), '"'), extract(JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), {p10:String}), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), {p10:String}))), 0))) AS cache_read,
    if((JSONType(used.2, {p11:String}) IN ('Int64', 'UInt64', 'Double') OR match(JSONExtractRaw(used.2, {p11:String}), '^"[0-9]{1,15}"$')), trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, {p11:String}), '"'), extract(JSONExtractRaw(used.2, {p11:String}), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, {p11:String}))), 0)), trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), {p12:String}), '"'), extract(JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), {p12:String}), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), {p12:String}))), 0))) AS cache_creation
  FROM (SELECT started_at, arrayJoin(JSONExtractKeysAndValuesRaw(if(summary_normalized = '', summary, summary_normalized), 'usage')) AS used
    FROM calls FINAL WHERE project_id = {p1:String} AND (started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC')) AND (op_name IN {p4:Array(String)}) AND (parent_id = '' OR otel_dump.size != 0) AND ((usage_extracted = 0)) AND ((started_at, id) IN (SELECT started_at, id FROM calls FINAL WHERE project_id = {p1:String} AND (started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC')) AND (op_name IN {p4:Array(String)}) AND (parent_id = '' OR otel_dump.size != 0) AND ((usage_extracted = 0))))) WHERE JSONType(used.2) = 'Object'))) GROUP BY bucket, model ORDER BY bucket, model
-- {"p0":3600,"p1":"acme/demo","p2":"1000000","p3":"7200000000","p4":["x' OR 1=1 --"],"p5":"prompt_tokens","p6":"input_tokens","p7":"completion_tokens","p8":"output_tokens","p9":"cache_read_input_tokens","p10":"cached_tokens","p11":"cache_creation_input_tokens","p12":"cache_write_tokens"}

-- usage to price
SELECT (intDiv(toUnixTimestamp64Micro(started_at), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(started_at), 1000000), {p0:Int64})) AS bucket, model, arrayCount(change -> change <= toUnixTimestamp64Micro(started_at), {p1:Array(Int64)}) AS price_period,
  min(started_at) AS moment, count() AS count,
  toInt64(sum(prompt)) AS prompt_sum, toInt64(sum(plain_prompt)) AS plain_prompt_sum, toInt64(sum(completion)) AS completion_sum,
  toInt64(sum(if(ifNull(total, 0) = 0, prompt + completion, assumeNotNull(total)))) AS total_sum,
  toInt64(sum(cache_read)) AS cache_read_sum, toInt64(sum(cache_creation)) AS cache_creation_sum,
  countIf(needs_document) AS needs_documents
FROM (SELECT started_at, model, prompt, completion, total, cache_read, cache_creation, plain_prompt, 0 AS needs_document FROM (SELECT started_at, usage.model AS models, usage.prompt AS prompts, usage.completion AS completions, usage.total AS totals, usage.cache_read AS cache_reads, usage.cache_creation AS cache_creations, usage.plain_prompt AS plain_prompts
    FROM calls FINAL WHERE project_id = {p2:String} AND (started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p4:Int64}, 'UTC')) AND (op_name IN {p5:Array(String)}) AND (parent_id = '' OR otel_dump.size != 0) AND (notEmpty(usage.model))) ARRAY JOIN models AS model, prompts AS prompt, completions AS completion, totals AS total, cache_reads AS cache_read, cache_creations AS cache_creation, plain_prompts AS plain_prompt
UNION ALL SELECT * FROM (SELECT started_at, '' AS model, 0 AS prompt, 0 AS completion, NULL AS total, 0 AS cache_read, 0 AS cache_creation, 0 AS plain_prompt, 1 AS needs_document FROM calls FINAL WHERE project_id = {p2:String} AND (started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p4:Int64}, 'UTC')) AND (op_name IN {p5:Array(String)}) AND (parent_id = '' OR otel_dump.size != 0) AND ((usage_extracted = 0)) LIMIT 1))
GROUP BY bucket, model, price_period ORDER BY bucket, model, price_period
-- {"p0":3600,"p1":["5","6"],"p2":"acme/demo","p3":"1000000","p4":"7200000000","p5":["x' OR 1=1 --"]}

-- usage to price: parts of the time
SELECT (intDiv(toUnixTimestamp64Micro(started_at), 1000000) - positiveModulo(intDiv(toUnixTimestamp64Micro(started_at), 1000000), {p0:Int64})) AS bucket, model, toInt64(0) AS price_period,
  min(started_at) AS moment, count() AS count,
  toInt64(sum(prompt)) AS prompt_sum, toInt64(sum(plain_prompt)) AS plain_prompt_sum, toInt64(sum(completion)) AS completion_sum,
  toInt64(sum(if(ifNull(total, 0) = 0, prompt + completion, assumeNotNull(total)))) AS total_sum,
  toInt64(sum(cache_read)) AS cache_read_sum, toInt64(sum(cache_creation)) AS cache_creation_sum,
  countIf(needs_document) AS needs_documents
FROM (SELECT started_at, model, prompt, completion, total, cache_read, cache_creation, plain_prompt, 0 AS needs_document FROM (SELECT started_at, usage.model AS models, usage.prompt AS prompts, usage.completion AS completions, usage.total AS totals, usage.cache_read AS cache_reads, usage.cache_creation AS cache_creations, usage.plain_prompt AS plain_prompts
    FROM calls FINAL WHERE project_id = {p1:String} AND (started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') OR started_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC')) AND (op_name IN {p6:Array(String)}) AND (parent_id = '' OR otel_dump.size != 0) AND (notEmpty(usage.model))) ARRAY JOIN models AS model, prompts AS prompt, completions AS completion, totals AS total, cache_reads AS cache_read, cache_creations AS cache_creation, plain_prompts AS plain_prompt
UNION ALL SELECT * FROM (SELECT started_at, '' AS model, 0 AS prompt, 0 AS completion, NULL AS total, 0 AS cache_read, 0 AS cache_creation, 0 AS plain_prompt, 1 AS needs_document FROM calls FINAL WHERE project_id = {p1:String} AND (started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') OR started_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC')) AND (op_name IN {p6:Array(String)}) AND (parent_id = '' OR otel_dump.size != 0) AND ((usage_extracted = 0)) LIMIT 1))
GROUP BY bucket, model, price_period ORDER BY bucket, model, price_period
-- {"p0":3600,"p1":"acme/demo","p2":"1000000","p3":"7200000000","p4":"8","p5":"9","p6":["x' OR 1=1 --"]}

-- buckets changed since cached
SELECT groupUniqArray(arrayMap(t -> arrayMap(b -> b + timezoneOffset(toDateTime64(t, 0, {p0:String})) - timezoneOffset(toDateTime64(b, 0, {p0:String})), [t - positiveModulo(t + timezoneOffset(toDateTime64(t, 0, {p0:String})), {p1:Int64})])[1], [intDiv(toUnixTimestamp64Micro(started_at), 1000000)])[1]) AS buckets, toUnixTimestamp64Micro(now64(6)) AS now,
  (SELECT toUnixTimestamp64Micro(max(deleted_at)) FROM call_deletions WHERE project_id = {p2:String}) AS deleted
FROM calls WHERE project_id = {p2:String} AND inserted_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC')
-- {"p0":"x' OR 1=1 --","p1":3600,"p2":"acme/demo","p3":"5"}

-- threads
SELECT thread_id, toUInt32(count()) AS turn_count, min(started_at) AS start_time, max(ended_at) AS last_updated,
  argMin(id, (started_at, id)) AS first_turn_id, argMax(id, (ended_at, id)) AS last_turn_id,
  quantileExactInclusiveOrNull(0.5)(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS p50_turn_duration_ms,
  quantileExactInclusiveOrNull(0.99)(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS p99_turn_duration_ms
FROM (SELECT thread_id, turn.1 AS id, turn.2 AS started_at, turn.3 AS ended_at FROM (
  SELECT thread_id, groupArrayIf((id, started_at, ended_at), id = turn_id) AS turns,
    arrayJoin(if(empty(turns), [(argMin(id, (started_at, id)), min(started_at), max(ended_at))], turns)) AS turn
  FROM calls FINAL WHERE project_id = {p0:String} AND (id = turn_id OR (turn_id = '' AND otel_dump.size != 0)) AND (thread_id != '') AND (thread_id IN {p1:Array(String)}) GROUP BY thread_id, trace_id))
GROUP BY thread_id HAVING (isNotNull(last_updated)) AND (start_time > fromUnixTimestamp64Micro({p2:Int64}, 'UTC')) AND (last_updated < fromUnixTimestamp64Micro({p3:Int64}, 'UTC'))
ORDER BY turn_count desc, thread_id LIMIT {p4:Int64} OFFSET {p5:Int64}
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"1","p3":"2","p4":10,"p5":5}

-- threads: all
SELECT thread_id, toUInt32(count()) AS turn_count, min(started_at) AS start_time, max(ended_at) AS last_updated,
  argMin(id, (started_at, id)) AS first_turn_id, argMax(id, (ended_at, id)) AS last_turn_id,
  quantileExactInclusiveOrNull(0.5)(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS p50_turn_duration_ms,
  quantileExactInclusiveOrNull(0.99)(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS p99_turn_duration_ms
FROM (SELECT thread_id, turn.1 AS id, turn.2 AS started_at, turn.3 AS ended_at FROM (
  SELECT thread_id, groupArrayIf((id, started_at, ended_at), id = turn_id) AS turns,
    arrayJoin(if(empty(turns), [(argMin(id, (started_at, id)), min(started_at), max(ended_at))], turns)) AS turn
  FROM calls FINAL WHERE project_id = {p0:String} AND (id = turn_id OR (turn_id = '' AND otel_dump.size != 0)) AND (thread_id != '') GROUP BY thread_id, trace_id))
GROUP BY thread_id HAVING (isNotNull(last_updated))
ORDER BY last_updated desc, thread_id
-- {"p0":"acme/demo"}
