-- retention policies
SELECT project_id, calls_max_age_seconds, calls_max_bytes, payloads_max_age_seconds, payloads_max_bytes, keep_tags, changed_by, changed_at FROM retention_policies FINAL ORDER BY project_id
-- {}

-- retention policy
SELECT project_id, calls_max_age_seconds, calls_max_bytes, payloads_max_age_seconds, payloads_max_bytes, keep_tags, changed_by, changed_at FROM retention_policies FINAL WHERE project_id = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- select calls
INSERT INTO selected_calls (project_id, run_id, id) SELECT {p0:String}, {p1:String}, id FROM (SELECT DISTINCT id FROM calls WHERE project_id = {p0:String} AND started_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND trace_id IN (
  SELECT trace_id FROM calls WHERE project_id = {p0:String} AND trace_id != '' AND ((started_at, id) IN (SELECT started_at, id FROM call_ids WHERE project_id = {p0:String} AND is_part = 0 AND id IN (SELECT splitByChar('/', substring(weave_ref, {p3:Int64}))[1] AS id FROM feedback FINAL WHERE project_id = {p0:String} AND startsWith(weave_ref, {p4:String})
UNION ALL SELECT call_id AS id FROM queue_items FINAL WHERE project_id = {p0:String}
UNION ALL SELECT arrayJoin(extractAll(val, {p5:String})) AS id FROM table_rows WHERE project_id = {p0:String} AND position(val, 'call') > 0
UNION ALL SELECT arrayJoin(extractAll(val, {p5:String})) AS id FROM object_versions FINAL WHERE project_id = {p0:String} AND published_at >= deleted_at AND position(val, 'call') > 0)) OR hasAny(CAST(field_tags, 'Array(String)'), {p6:Array(String)}))))
-- {"p0":"x' OR 1=1 --","p1":"run-1","p2":"1","p3":28,"p4":"weave:///x' OR 1=1 --/call/","p5":"weave:[^\"]*?[/]call\\\\?/([^\"/\\\\]+)","p6":["x' OR 1=1 --"]}

-- select calls: facts
INSERT INTO selected_calls (project_id, run_id, id) SELECT {p0:String}, {p1:String}, id FROM (SELECT id FROM call_ids WHERE project_id = {p0:String} AND is_part = 0 AND id IN (SELECT id FROM call_parts WHERE project_id = {p0:String}) AND id NOT IN (SELECT id FROM selected_calls WHERE project_id = {p0:String} AND run_id = {p2:String}) GROUP BY id HAVING max(started_at) < fromUnixTimestamp64Micro({p3:Int64}, 'UTC')
UNION DISTINCT SELECT id FROM call_parts WHERE project_id = {p0:String} AND inserted_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND id NOT IN (SELECT id FROM call_ids WHERE project_id = {p0:String} AND is_part = 0 AND id IN (SELECT id FROM call_parts WHERE project_id = {p0:String})))
-- {"p0":"x' OR 1=1 --","p1":"run-1-parts","p2":"run-1","p3":"1"}

-- retention bytes
SELECT hour, total - bytes AS newer FROM (
  SELECT hour, bytes, sum(bytes) OVER (ORDER BY hour DESC) AS total FROM (
    SELECT intDiv(toUnixTimestamp64Micro(started_at), {p0:Int64}) AS hour, sum((length(attributes) + length(inputs) + length(output) + length(summary) + length(otel_dump))) AS bytes
    FROM calls FINAL WHERE project_id = {p1:String} GROUP BY hour))
WHERE total > {p2:Int64} ORDER BY hour DESC LIMIT 1
-- {"p0":"3600000000","p1":"x' OR 1=1 --","p2":1000}

-- retention bytes: in one hour
SELECT toUnixTimestamp64Micro(started_at) AS started FROM (
  SELECT started_at, sum((length(attributes) + length(inputs) + length(output) + length(summary) + length(otel_dump))) OVER (ORDER BY started_at DESC, id DESC ROWS UNBOUNDED PRECEDING) AS total
  FROM calls FINAL WHERE project_id = {p0:String} AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC'))
WHERE total > {p3:Int64} ORDER BY started_at DESC LIMIT 1
-- {"p0":"x' OR 1=1 --","p1":"3600000000","p2":"7200000000","p3":1000}

-- retention counts
SELECT countIf(is_gone) AS calls, sumIf(size, is_gone) AS call_bytes, countIf(is_stripped) AS payloads,
  sumIf(size, is_stripped) AS payload_bytes, countIf(is_kept) AS kept
FROM (SELECT id IN (SELECT id FROM selected_calls WHERE project_id = {p0:String} AND run_id = {p1:String}) AS is_kept, NOT is_kept AND started_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AS is_gone,
    NOT is_kept AND NOT is_gone AND payload_expired = 0 AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AS is_stripped, (length(attributes) + length(inputs) + length(output) + length(summary) + length(otel_dump)) AS size
  FROM calls FINAL WHERE project_id = {p0:String} AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC'))
-- {"p0":"x' OR 1=1 --","p1":"run-1","p2":"1","p3":"2"}

-- retention rows
SELECT 1 FROM call_parts WHERE project_id = {p0:String} AND 1 LIMIT 1
-- {"p0":"x' OR 1=1 --"}

-- partitions of calls
SELECT _partition_id AS partition_id FROM calls WHERE project_id = {p0:String} AND 1 GROUP BY partition_id ORDER BY partition_id
-- {"p0":"x' OR 1=1 --"}

-- expire payloads
ALTER TABLE calls UPDATE attributes = concat('{', arrayStringConcat(arrayFilter(member -> member != '', [if(notEmpty(field_tags), concat({p0:String}, toJSONString(CAST(field_tags, 'Array(String)'))), ''), if(field_end_user != '', concat({p1:String}, toJSONString(toString(field_end_user))), ''), if(field_session != '', concat({p2:String}, toJSONString(toString(field_session))), ''), if(field_environment != '', concat({p3:String}, toJSONString(toString(field_environment))), ''), if(field_provider != '', concat({p4:String}, toJSONString(toString(field_provider))), ''), if(toFloat64OrNull(if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p6:String}, {p7:String}, {p8:String}))) IS NOT NULL, concat({p9:String}, if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p6:String}, {p7:String}, {p8:String}))), ''), if(toFloat64OrNull(if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p11:String}, {p8:String}, {p12:String}))) IS NOT NULL, concat({p13:String}, if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p11:String}, {p8:String}, {p12:String}))), '')]), ','), '}'), inputs = '{}', output = if(output = '', '', 'null'), summary = concat('{', arrayStringConcat(arrayFilter(member -> member != '', [if(JSONHas(if(summary_normalized = '', summary, summary_normalized), {p7:String}), concat({p14:String}, JSONExtractRaw(if(summary_normalized = '', summary, summary_normalized), {p7:String})), ''), if(JSONHas(if(summary_normalized = '', summary, summary_normalized), {p15:String}), concat({p16:String}, JSONExtractRaw(if(summary_normalized = '', summary, summary_normalized), {p15:String})), ''), if(isFinite(ifNull(field_time_to_first_token, nan)), concat({p17:String}, toString(field_time_to_first_token)), ''), '"weave":{"payload_expired":true}']), ','), '}'), exception = if(exception IS NULL, NULL, if(field_error_type = '', 'Error', toString(field_error_type))), attributes_normalized = '', inputs_normalized = '', output_normalized = '', summary_normalized = '', otel_dump = '', input_refs = [], output_refs = [], json_fields = CAST(map('attributes', '*', 'inputs', '*', 'output', '*', 'summary', '*'), 'Map(LowCardinality(String), String)'), payload_expired = 1 IN PARTITION ID {p18:String} WHERE project_id = {p19:String} AND 1
-- {"p0":"\"tags\":","p1":"\"user_id\":","p2":"\"session_id\":","p3":"\"environment\":","p4":"\"provider\":","p5":"gen_ai.usage.cost","p6":"gen_ai","p7":"usage","p8":"cost","p9":"\"gen_ai.usage.cost\":","p10":"llm.cost.total","p11":"llm","p12":"total","p13":"\"llm.cost.total\":","p14":"\"usage\":","p15":"status_counts","p16":"\"status_counts\":","p17":"\"ttft_ms\":","p18":"202611","p19":"x' OR 1=1 --"}

-- calls with parts
SELECT DISTINCT id FROM call_parts WHERE project_id = {p0:String} AND body != '' AND id IN (SELECT id FROM selected_calls WHERE project_id = {p0:String} AND run_id = {p1:String}) ORDER BY id
-- {"p0":"x' OR 1=1 --","p1":"run-1"}

-- calls without payloads
SELECT id, new_attributes AS attributes, new_inputs AS inputs, new_output AS output, new_summary AS summary, new_exception AS exception FROM (SELECT id, concat('{', arrayStringConcat(arrayFilter(member -> member != '', [if(notEmpty(field_tags), concat({p0:String}, toJSONString(CAST(field_tags, 'Array(String)'))), ''), if(field_end_user != '', concat({p1:String}, toJSONString(toString(field_end_user))), ''), if(field_session != '', concat({p2:String}, toJSONString(toString(field_session))), ''), if(field_environment != '', concat({p3:String}, toJSONString(toString(field_environment))), ''), if(field_provider != '', concat({p4:String}, toJSONString(toString(field_provider))), ''), if(toFloat64OrNull(if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p6:String}, {p7:String}, {p8:String}))) IS NOT NULL, concat({p9:String}, if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p6:String}, {p7:String}, {p8:String}))), ''), if(toFloat64OrNull(if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p11:String}, {p8:String}, {p12:String}))) IS NOT NULL, concat({p13:String}, if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p11:String}, {p8:String}, {p12:String}))), '')]), ','), '}') AS new_attributes, '{}' AS new_inputs, if(output = '', '', 'null') AS new_output, concat('{', arrayStringConcat(arrayFilter(member -> member != '', [if(JSONHas(if(summary_normalized = '', summary, summary_normalized), {p7:String}), concat({p14:String}, JSONExtractRaw(if(summary_normalized = '', summary, summary_normalized), {p7:String})), ''), if(JSONHas(if(summary_normalized = '', summary, summary_normalized), {p15:String}), concat({p16:String}, JSONExtractRaw(if(summary_normalized = '', summary, summary_normalized), {p15:String})), ''), if(isFinite(ifNull(field_time_to_first_token, nan)), concat({p17:String}, toString(field_time_to_first_token)), ''), '"weave":{"payload_expired":true}']), ','), '}') AS new_summary, if(exception IS NULL, NULL, if(field_error_type = '', 'Error', toString(field_error_type))) AS new_exception FROM calls FINAL WHERE project_id = {p18:String} AND (started_at, id) IN (SELECT started_at, id FROM call_ids WHERE project_id = {p18:String} AND is_part = 0 AND id IN {p19:Array(String)}))
-- {"p0":"\"tags\":","p1":"\"user_id\":","p2":"\"session_id\":","p3":"\"environment\":","p4":"\"provider\":","p5":"gen_ai.usage.cost","p6":"gen_ai","p7":"usage","p8":"cost","p9":"\"gen_ai.usage.cost\":","p10":"llm.cost.total","p11":"llm","p12":"total","p13":"\"llm.cost.total\":","p14":"\"usage\":","p15":"status_counts","p16":"\"status_counts\":","p17":"\"ttft_ms\":","p18":"x' OR 1=1 --","p19":["x' OR 1=1 --"]}

-- parts of calls: to strip
SELECT id, fact, version, base64Encode(any(body)) AS encoded
FROM call_parts WHERE project_id = {p0:String} AND id IN {p1:Array(String)} AND body != '' AND fact IN ('start', 'end', 'content')
GROUP BY id, fact, version
-- {"p0":"x' OR 1=1 --","p1":["x' OR 1=1 --"]}

-- expire parts
ALTER TABLE call_parts DELETE WHERE project_id = {p0:String} AND inserted_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (id, fact, version) IN (SELECT id, fact, version FROM call_parts WHERE project_id = {p0:String} AND inserted_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC'))
-- {"p0":"x' OR 1=1 --","p1":"1"}

-- last deletion
SELECT deleted_at, reason, calls, payloads FROM call_deletions WHERE project_id = {p0:String} ORDER BY deleted_at DESC LIMIT 1
-- {"p0":"x' OR 1=1 --"}

-- marked rows
SELECT _partition_id AS partition_id, count() AS total, countIf(_row_exists = 0) AS marked
FROM calls WHERE _partition_id IN (SELECT partition_id FROM system.parts
  WHERE database = currentDatabase() AND table = 'calls' AND active AND has_lightweight_delete)
GROUP BY partition_id ORDER BY partition_id SETTINGS apply_deleted_mask = 0
-- {}

-- marked tables
SELECT DISTINCT table AS name FROM system.parts
WHERE database = currentDatabase() AND active AND has_lightweight_delete ORDER BY name
-- {}

-- replaced parts
SELECT (SELECT count() FROM system.parts WHERE database = currentDatabase() AND NOT active)
  + (SELECT sum(parts_to_do) FROM system.mutations WHERE database = currentDatabase() AND NOT is_done AND position(command, 'DELETE') > 0) AS parts
-- {}

-- reclaim deleted calls
ALTER TABLE calls APPLY DELETED MASK IN PARTITION ID {p0:String}
-- {"p0":"202611"}

-- mutation state
SELECT countIf(NOT is_done) AS running, anyIf(latest_fail_reason, NOT is_done) AS reason
FROM system.mutations WHERE database = currentDatabase() AND position(command, {p0:String}) > 0
-- {"p0":"run-1"}

-- mutation state: reclaims
SELECT count() AS running FROM system.mutations
WHERE database = currentDatabase() AND NOT is_done AND position(command, 'APPLY DELETED MASK') > 0
-- {}

-- kill mutation
KILL MUTATION WHERE database = currentDatabase() AND NOT is_done AND position(command, {p0:String}) > 0
-- {"p0":"run-1"}

-- days with calls
SELECT (intDiv(toUnixTimestamp64Micro(started_at), {p0:Int64}) + 1) * {p0:Int64} AS day_end
FROM calls WHERE started_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND is_deleted = 0 GROUP BY day_end HAVING fromUnixTimestamp64Micro(day_end) <= fromUnixTimestamp64Micro({p1:Int64}, 'UTC')
ORDER BY day_end LIMIT {p2:Int64}
-- {"p0":86400000000,"p1":"1","p2":31}

-- projects with old calls
SELECT DISTINCT project_id FROM calls WHERE started_at < fromUnixTimestamp64Micro({p0:Int64}, 'UTC') ORDER BY project_id
-- {"p0":"1"}

-- ttl of calls
SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND name = 'calls'
-- {}

-- job claims
SELECT owner, claimed_at AS at, claimed_at + toIntervalSecond(seconds) AS until, now64(6, 'UTC') AS now
FROM job_claims WHERE job = {p0:String} AND claimed_at >= now64(6, 'UTC') - toIntervalSecond({p1:Int64})
ORDER BY _block_number, _block_offset
-- {"p0":"x' OR 1=1 --","p1":3600}

-- job runs
SELECT started_at FROM job_runs WHERE job = {p0:String} AND error = '' ORDER BY started_at DESC LIMIT 1
-- {"p0":"x' OR 1=1 --"}
