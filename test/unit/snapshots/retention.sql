-- retention policies
SELECT project_id, calls_max_age_seconds, calls_max_bytes, payloads_max_age_seconds, payloads_max_bytes, keep_tags, changed_by, changed_at FROM retention_policies FINAL ORDER BY project_id
-- {}

-- retention policy
SELECT project_id, calls_max_age_seconds, calls_max_bytes, payloads_max_age_seconds, payloads_max_bytes, keep_tags, changed_by, changed_at FROM retention_policies FINAL WHERE project_id = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- projects with old calls: of policies
SELECT project_id FROM calls WHERE project_id IN {p0:Array(String)} AND started_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, {p0:Array(String)}, {p2:Array(Int64)}, toInt64({p3:String})) GROUP BY project_id
UNION DISTINCT SELECT project_id FROM calls WHERE project_id IN {p4:Array(String)} AND started_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, {p4:Array(String)}, {p6:Array(Int64)}, toInt64({p3:String})) AND is_deleted = 0 AND payload_expired = 0 GROUP BY project_id
UNION DISTINCT SELECT project_id FROM call_ids WHERE project_id IN {p0:Array(String)} AND started_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, {p0:Array(String)}, {p2:Array(Int64)}, toInt64({p3:String})) AND is_part = 0 GROUP BY project_id
UNION DISTINCT SELECT project_id FROM call_parts WHERE project_id IN {p0:Array(String)} AND inserted_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND toUnixTimestamp64Micro(inserted_at) < transform(project_id, {p0:Array(String)}, {p2:Array(Int64)}, toInt64({p3:String})) GROUP BY project_id
-- {"p0":["x' OR 1=1 --"],"p1":"1","p2":["1"],"p3":"-9223372036854775808","p4":["x' OR 1=1 --"],"p5":"2","p6":["2"]}

-- select calls
SELECT DISTINCT project_id, id FROM calls WHERE project_id IN {p0:Array(String)} AND started_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, {p0:Array(String)}, {p2:Array(Int64)}, toInt64({p3:String})) AND (project_id, trace_id) IN (
  SELECT project_id, trace_id FROM calls WHERE project_id IN {p4:Array(String)} AND trace_id != '' AND (project_id, started_at, id) IN (SELECT project_id, started_at, id FROM call_ids WHERE project_id IN {p4:Array(String)} AND is_part = 0 AND (project_id, id) IN (SELECT project_id, splitByChar('/', substring(weave_ref, length(concat('weave:///', project_id, '/call/')) + 1))[1] AS id FROM feedback FINAL WHERE project_id IN {p4:Array(String)} AND startsWith(weave_ref, concat('weave:///', project_id, '/call/'))
UNION ALL SELECT project_id, call_id AS id FROM queue_items FINAL WHERE project_id IN {p4:Array(String)}
UNION ALL SELECT project_id, call_id AS id FROM dataset_sources FINAL WHERE project_id IN {p4:Array(String)} AND deleted_at IS NULL AND call_id != ''
UNION ALL SELECT project_id, arrayJoin(extractAll(val, {p5:String})) AS id FROM table_rows WHERE project_id IN {p4:Array(String)} AND position(val, 'call') > 0
UNION ALL SELECT project_id, arrayJoin(extractAll(val, {p5:String})) AS id FROM object_versions FINAL WHERE project_id IN {p4:Array(String)} AND published_at >= deleted_at AND position(val, 'call') > 0))
  UNION ALL SELECT project_id, trace_id FROM calls WHERE project_id IN {p4:Array(String)} AND trace_id != '' AND thread_id != '' AND (project_id, thread_id) IN (SELECT project_id, source_id FROM dataset_sources FINAL WHERE project_id IN {p4:Array(String)} AND deleted_at IS NULL AND source_kind = 'conversation')
  UNION ALL SELECT project_id, trace_id FROM calls WHERE project_id IN {p6:Array(String)} AND trace_id != ''
  AND arrayExists(tag -> (project_id, tag) IN arrayZip({p7:Array(String)}, {p8:Array(String)}), CAST(field_tags, 'Array(String)')))
-- {"p0":["x' OR 1=1 --"],"p1":"2","p2":["2"],"p3":"-9223372036854775808","p4":["x' OR 1=1 --"],"p5":"weave:[^\"]*?[/]call\\\\?/([^\"/\\\\]+)","p6":["x' OR 1=1 --"],"p7":["x' OR 1=1 --"],"p8":["x' OR 1=1 --"]}

-- select calls: facts
SELECT DISTINCT project_id, id FROM call_ids WHERE project_id IN (SELECT arrayJoin((SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}))) AND transform(project_id, (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(calls_before, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), toInt64({p1:String})) > toInt64({p1:String}) AND is_part = 0 AND (project_id, id) IN (SELECT project_id, id FROM call_parts WHERE project_id IN (SELECT arrayJoin((SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}))) AND transform(project_id, (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(calls_before, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), toInt64({p1:String})) > toInt64({p1:String}) AND inserted_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC')) AND (project_id, id) NOT IN (SELECT project_id, id FROM selected_calls WHERE run_id = {p0:String}) AND (project_id, id) NOT IN (SELECT project_id, id FROM calls WHERE project_id IN (SELECT arrayJoin((SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}))) AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(calls_before, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), toInt64({p1:String}))) AND (project_id, id) NOT IN (SELECT project_id, id FROM call_ids WHERE project_id IN (SELECT arrayJoin((SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}))) AND transform(project_id, (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(calls_before, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), toInt64({p1:String})) > toInt64({p1:String}) AND is_part = 0 AND (project_id, id) IN (SELECT project_id, id FROM call_parts WHERE project_id IN (SELECT arrayJoin((SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}))) AND transform(project_id, (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(calls_before, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), toInt64({p1:String})) > toInt64({p1:String}) AND inserted_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC')) AND NOT (project_id IN (SELECT arrayJoin((SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}))) AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(calls_before, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), toInt64({p1:String}))))
UNION DISTINCT SELECT project_id, id FROM call_parts WHERE project_id IN (SELECT arrayJoin((SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}))) AND inserted_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND toUnixTimestamp64Micro(inserted_at) < transform(project_id, (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(calls_before, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), toInt64({p1:String})) AND inserted_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (project_id, id) NOT IN (SELECT project_id, id FROM call_ids WHERE project_id IN (SELECT arrayJoin((SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}))) AND transform(project_id, (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(calls_before, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), toInt64({p1:String})) > toInt64({p1:String}) AND is_part = 0 AND (project_id, id) IN (SELECT project_id, id FROM call_parts WHERE project_id IN (SELECT arrayJoin((SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}))) AND transform(project_id, (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(calls_before, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), toInt64({p1:String})) > toInt64({p1:String}) AND inserted_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC')))
-- {"p0":"run-1","p1":"-9223372036854775808","p2":"3","p3":"1"}

-- retention bytes
SELECT project_id, hour, total - bytes AS newer FROM (
  SELECT project_id, hour, bytes, sum(bytes) OVER (PARTITION BY project_id ORDER BY hour DESC) AS total FROM (
    SELECT project_id, intDiv(toUnixTimestamp64Micro(started_at), {p0:Int64}) AS hour, sum((attributes.size + inputs.size + output.size + summary.size + otel_dump.size)) AS bytes FROM calls FINAL WHERE project_id IN {p1:Array(String)} GROUP BY project_id, hour))
WHERE total > transform(project_id, {p2:Array(String)}, {p3:Array(Int64)}, toInt64(0)) ORDER BY hour DESC LIMIT 1 BY project_id
-- {"p0":"3600000000","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":[1000]}

-- retention bytes: in one hour
SELECT project_id, toUnixTimestamp64Micro(max(started_at)) AS started FROM (
  SELECT project_id, started_at, sum((attributes.size + inputs.size + output.size + summary.size + otel_dump.size)) OVER (PARTITION BY project_id ORDER BY started_at DESC, id DESC ROWS UNBOUNDED PRECEDING) AS total
  FROM calls FINAL WHERE project_id IN {p0:Array(String)} AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND intDiv(toUnixTimestamp64Micro(started_at), {p1:Int64}) = transform(project_id, {p3:Array(String)}, {p4:Array(Int64)}, toInt64(0)))
WHERE total > transform(project_id, {p5:Array(String)}, {p6:Array(Int64)}, toInt64(0)) GROUP BY project_id
-- {"p0":["x' OR 1=1 --"],"p1":"3600000000","p2":"7200000000","p3":["x' OR 1=1 --"],"p4":[1],"p5":["x' OR 1=1 --"],"p6":[1000]}

-- retention counts
SELECT project_id, countIf(is_gone) AS calls, sumIf(size, is_gone) AS call_bytes, countIf(is_stripped) AS payloads,
  sumIf(size, is_stripped) AS payload_bytes, countIf(is_kept) AS kept
FROM (SELECT project_id, (project_id, id) IN (SELECT 1, 2) AS is_kept, NOT is_kept AND inserted_at < fromUnixTimestamp64Micro({p0:Int64}, 'UTC') AND project_id IN {p1:Array(String)} AND started_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, {p1:Array(String)}, {p3:Array(Int64)}, toInt64({p4:String})) AS is_gone,
    NOT is_kept AND NOT is_gone AND payload_expired = 0 AND inserted_at < fromUnixTimestamp64Micro({p0:Int64}, 'UTC') AND project_id IN {p5:Array(String)} AND started_at < fromUnixTimestamp64Micro({p6:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, {p5:Array(String)}, {p7:Array(Int64)}, toInt64({p4:String})) AS is_stripped,
    0 AS size
  FROM calls FINAL WHERE project_id IN {p8:Array(String)} AND started_at < fromUnixTimestamp64Micro({p6:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, {p8:Array(String)}, {p9:Array(Int64)}, toInt64({p4:String})))
GROUP BY project_id
-- {"p0":"3","p1":["x' OR 1=1 --"],"p2":"1","p3":["1"],"p4":"-9223372036854775808","p5":["x' OR 1=1 --"],"p6":"2","p7":["2"],"p8":["x' OR 1=1 --"],"p9":["2"]}

-- retention counts: preview
SELECT project_id, countIf(is_gone) AS calls, sumIf(size, is_gone) AS call_bytes, countIf(is_stripped) AS payloads,
  sumIf(size, is_stripped) AS payload_bytes, countIf(is_kept) AS kept
FROM (SELECT project_id, (project_id, id) IN (SELECT 1, 2) AS is_kept, NOT is_kept AND 1 AND project_id IN {p0:Array(String)} AND started_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, {p0:Array(String)}, {p2:Array(Int64)}, toInt64({p3:String})) AS is_gone,
    NOT is_kept AND NOT is_gone AND payload_expired = 0 AND 1 AND project_id IN {p4:Array(String)} AND started_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, {p4:Array(String)}, {p6:Array(Int64)}, toInt64({p3:String})) AS is_stripped,
    (attributes.size + inputs.size + output.size + summary.size + otel_dump.size) AS size
  FROM calls FINAL WHERE project_id IN {p7:Array(String)} AND started_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, {p7:Array(String)}, {p8:Array(Int64)}, toInt64({p3:String})))
GROUP BY project_id
-- {"p0":["x' OR 1=1 --"],"p1":"1","p2":["1"],"p3":"-9223372036854775808","p4":["x' OR 1=1 --"],"p5":"2","p6":["2"],"p7":["x' OR 1=1 --"],"p8":["2"]}

-- close deletion run
INSERT INTO deletion_runs (run_id, state) SELECT {p0:String}, 'closed'
-- {"p0":"run-1"}

-- deletion runs
SELECT run_id, anyIf(reason, state = 'selected') AS reason,
  toUnixTimestamp64Micro(anyIf(selected_at, state = 'selected')) AS selected_micros,
  anyIf(project_ids, state = 'selected') AS project_ids, anyIf(calls_before, state = 'selected') AS calls_before,
  anyIf(payloads_before, state = 'selected') AS payloads_before, anyIf(calls, state = 'selected') AS calls,
  anyIf(payloads, state = 'selected') AS payloads
FROM deletion_runs GROUP BY run_id HAVING countIf(state = 'closed') = 0 AND countIf(state = 'selected') > 0 ORDER BY min(logged_at)
-- {}

-- deletion runs: listed
SELECT count() AS listed FROM selected_calls WHERE run_id = {p0:String}
-- {"p0":"run-1"}

-- deletion runs: complete
SELECT toUInt8((SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), countIf(state = 'selected') > 0, 0) FROM deletion_runs WHERE run_id = {p0:String})) AS complete
-- {"p0":"run-1"}

-- deletion runs: lists
SELECT list, substring(list, 1, 36) AS run,
  run IN (SELECT run_id FROM deletion_runs WHERE state = 'closed' AND logged_at <= now64(6) - toIntervalSecond({p0:Int64})) AS is_closed,
  last < now64(6) - toIntervalSecond({p1:Int64}) AS is_abandoned
FROM (SELECT run_id AS list, max(added_at) AS last FROM selected_calls GROUP BY run_id)
-- {"p0":600,"p1":86400}

-- deletion runs: unfinished mutations
SELECT command FROM system.mutations WHERE database = currentDatabase() AND NOT is_done
-- {}

-- remove lists of calls
ALTER TABLE selected_calls DELETE WHERE run_id IN {p0:Array(String)}
-- {"p0":["run-1"]}

-- retention rows
SELECT 1 FROM call_parts WHERE (project_id, id) IN (SELECT project_id, id FROM selected_calls WHERE run_id = {p0:String}) AND 1 LIMIT 1
-- {"p0":"run-1-parts"}

-- partitions of calls
SELECT _partition_id AS partition_id FROM calls WHERE project_id IN (SELECT arrayJoin((SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}))) AND started_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p0:String}), anyIf(calls_before, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p0:String}), toInt64({p2:String})) AND 1 GROUP BY partition_id ORDER BY partition_id
-- {"p0":"run-1","p1":"1","p2":"-9223372036854775808"}

-- delete calls
DELETE FROM calls IN PARTITION ID {p0:String} WHERE project_id IN (SELECT arrayJoin((SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p1:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p1:String}))) AND started_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p1:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p1:String}), (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p1:String}), anyIf(calls_before, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p1:String}), toInt64({p3:String})) AND inserted_at < fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND (project_id, id) NOT IN (SELECT project_id, id FROM selected_calls WHERE run_id = {p1:String}) AND ('', {p1:String}) IN (SELECT project_id, id FROM selected_calls WHERE run_id = {p1:String})
-- {"p0":"202611","p1":"run-1","p2":"1","p3":"-9223372036854775808","p4":"3"}

-- expire payloads
ALTER TABLE calls UPDATE attributes = concat('{', arrayStringConcat(arrayFilter(member -> member != '', [if(notEmpty(field_tags), concat({p0:String}, toJSONString(CAST(field_tags, 'Array(String)'))), ''), if(field_end_user != '', concat({p1:String}, toJSONString(toString(field_end_user))), ''), if(field_session != '', concat({p2:String}, toJSONString(toString(field_session))), ''), if(field_environment != '', concat({p3:String}, toJSONString(toString(field_environment))), ''), if(field_provider != '', concat({p4:String}, toJSONString(toString(field_provider))), ''), if(toFloat64OrNull(if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p6:String}, {p7:String}, {p8:String}))) IS NOT NULL, concat({p9:String}, if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p6:String}, {p7:String}, {p8:String}))), ''), if(toFloat64OrNull(if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p11:String}, {p8:String}, {p12:String}))) IS NOT NULL, concat({p13:String}, if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p11:String}, {p8:String}, {p12:String}))), '')]), ','), '}'), inputs = '{}', output = if(output = '', '', 'null'), summary = concat('{', arrayStringConcat(arrayFilter(member -> member != '', [if(JSONHas(if(summary_normalized = '', summary, summary_normalized), {p7:String}), concat({p14:String}, JSONExtractRaw(if(summary_normalized = '', summary, summary_normalized), {p7:String})), ''), if(JSONHas(if(summary_normalized = '', summary, summary_normalized), {p15:String}), concat({p16:String}, JSONExtractRaw(if(summary_normalized = '', summary, summary_normalized), {p15:String})), ''), if(isFinite(ifNull(field_time_to_first_token, nan)), concat({p17:String}, toString(field_time_to_first_token)), ''), '"weave":{"payload_expired":true}']), ','), '}'), exception = if(ifNull(exception, '') = '', exception, if(field_error_type = '', 'Error', toString(field_error_type))), attributes_normalized = '', inputs_normalized = '', output_normalized = '', summary_normalized = '', otel_dump = '', input_refs = [], output_refs = [], json_fields = CAST(map('attributes', '*', 'inputs', '*', 'output', '*', 'summary', '*'), 'Map(LowCardinality(String), String)'), payload_expired = 1 IN PARTITION ID {p18:String} WHERE project_id IN (SELECT arrayJoin((SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p19:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p19:String}))) AND started_at < fromUnixTimestamp64Micro({p20:Int64}, 'UTC') AND toUnixTimestamp64Micro(started_at) < transform(project_id, (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p19:String}), anyIf(project_ids, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p19:String}), (SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() FROM selected_calls WHERE run_id = {p19:String}), anyIf(calls_before, state = 'selected'), []) FROM deletion_runs WHERE run_id = {p19:String}), toInt64({p21:String})) AND 1
-- {"p0":"\"tags\":","p1":"\"user_id\":","p2":"\"session_id\":","p3":"\"environment\":","p4":"\"provider\":","p5":"gen_ai.usage.cost","p6":"gen_ai","p7":"usage","p8":"cost","p9":"\"gen_ai.usage.cost\":","p10":"llm.cost.total","p11":"llm","p12":"total","p13":"\"llm.cost.total\":","p14":"\"usage\":","p15":"status_counts","p16":"\"status_counts\":","p17":"\"ttft_ms\":","p18":"202611","p19":"run-1","p20":"1","p21":"-9223372036854775808"}

-- calls with parts
SELECT DISTINCT project_id, id FROM call_parts WHERE (project_id, id) IN (SELECT 1, 2) AND body != '' ORDER BY project_id, id
-- {}

-- calls without payloads
SELECT project_id, id, new_attributes AS attributes, new_inputs AS inputs, new_output AS output, new_summary AS summary, new_exception AS exception FROM (SELECT project_id, id, concat('{', arrayStringConcat(arrayFilter(member -> member != '', [if(notEmpty(field_tags), concat({p0:String}, toJSONString(CAST(field_tags, 'Array(String)'))), ''), if(field_end_user != '', concat({p1:String}, toJSONString(toString(field_end_user))), ''), if(field_session != '', concat({p2:String}, toJSONString(toString(field_session))), ''), if(field_environment != '', concat({p3:String}, toJSONString(toString(field_environment))), ''), if(field_provider != '', concat({p4:String}, toJSONString(toString(field_provider))), ''), if(toFloat64OrNull(if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p6:String}, {p7:String}, {p8:String}))) IS NOT NULL, concat({p9:String}, if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p5:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p6:String}, {p7:String}, {p8:String}))), ''), if(toFloat64OrNull(if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p11:String}, {p8:String}, {p12:String}))) IS NOT NULL, concat({p13:String}, if(JSONHas(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p10:String}), JSONExtractRaw(if(attributes_normalized = '', attributes, attributes_normalized), {p11:String}, {p8:String}, {p12:String}))), '')]), ','), '}') AS new_attributes, '{}' AS new_inputs, if(output = '', '', 'null') AS new_output, concat('{', arrayStringConcat(arrayFilter(member -> member != '', [if(JSONHas(if(summary_normalized = '', summary, summary_normalized), {p7:String}), concat({p14:String}, JSONExtractRaw(if(summary_normalized = '', summary, summary_normalized), {p7:String})), ''), if(JSONHas(if(summary_normalized = '', summary, summary_normalized), {p15:String}), concat({p16:String}, JSONExtractRaw(if(summary_normalized = '', summary, summary_normalized), {p15:String})), ''), if(isFinite(ifNull(field_time_to_first_token, nan)), concat({p17:String}, toString(field_time_to_first_token)), ''), '"weave":{"payload_expired":true}']), ','), '}') AS new_summary, if(ifNull(exception, '') = '', exception, if(field_error_type = '', 'Error', toString(field_error_type))) AS new_exception FROM calls FINAL WHERE (project_id, id) IN arrayZip({p18:Array(String)}, {p19:Array(String)}) AND (project_id, started_at, id) IN (SELECT project_id, started_at, id FROM call_ids WHERE (project_id, id) IN arrayZip({p18:Array(String)}, {p19:Array(String)}) AND is_part = 0))
-- {"p0":"\"tags\":","p1":"\"user_id\":","p2":"\"session_id\":","p3":"\"environment\":","p4":"\"provider\":","p5":"gen_ai.usage.cost","p6":"gen_ai","p7":"usage","p8":"cost","p9":"\"gen_ai.usage.cost\":","p10":"llm.cost.total","p11":"llm","p12":"total","p13":"\"llm.cost.total\":","p14":"\"usage\":","p15":"status_counts","p16":"\"status_counts\":","p17":"\"ttft_ms\":","p18":["x' OR 1=1 --"],"p19":["x' OR 1=1 --"]}

-- parts of calls: to strip
SELECT project_id, id, fact, version, base64Encode(any(body)) AS encoded, max(sent_by) AS sent_by
FROM call_parts WHERE (project_id, id) IN arrayZip({p0:Array(String)}, {p1:Array(String)}) AND body != '' AND fact IN ('start', 'end', 'content')
GROUP BY project_id, id, fact, version
-- {"p0":["x' OR 1=1 --"],"p1":["x' OR 1=1 --"]}

-- expire parts
ALTER TABLE call_parts DELETE WHERE project_id IN {p0:Array(String)} AND transform(project_id, {p0:Array(String)}, {p1:Array(Int64)}, toInt64({p2:String})) > toInt64({p2:String}) AND inserted_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (project_id, id, fact, version) IN (SELECT project_id, id, fact, version FROM call_parts WHERE project_id IN {p0:Array(String)} AND transform(project_id, {p0:Array(String)}, {p1:Array(Int64)}, toInt64({p2:String})) > toInt64({p2:String}) AND inserted_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC'))
-- {"p0":["x' OR 1=1 --"],"p1":["2"],"p2":"-9223372036854775808","p3":"1"}

-- last deletion
SELECT deleted_at, reason, calls, payloads FROM call_deletions WHERE project_id = {p0:String} AND calls + payloads > 0 ORDER BY deleted_at DESC LIMIT 1
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
SELECT countIf(NOT is_done) AS running, countIf(is_done) AS done, anyIf(latest_fail_reason, NOT is_done) AS reason
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

-- cold parts
SELECT name, partition_id FROM system.parts WHERE database = currentDatabase() AND table = 'calls' AND active AND disk_name = {p0:String} ORDER BY name
-- {"p0":"x' OR 1=1 --"}

-- job claims
SELECT owner, claimed_at AS at, claimed_at + toIntervalSecond(seconds) AS until, now64(6, 'UTC') AS now
FROM job_claims WHERE job = {p0:String} AND claimed_at >= now64(6, 'UTC') - toIntervalSecond({p1:Int64})
ORDER BY _block_number, _block_offset
-- {"p0":"x' OR 1=1 --","p1":3600}

-- job runs
SELECT started_at FROM job_runs WHERE job = {p0:String} AND error = '' ORDER BY started_at DESC LIMIT 1
-- {"p0":"x' OR 1=1 --"}
