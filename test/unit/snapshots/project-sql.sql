-- sql views
SELECT name, comment FROM system.tables WHERE database = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- columns of sql views
SELECT table AS name, groupArray((column_name, type)) AS columns
FROM (SELECT table, name AS column_name, type FROM system.columns WHERE database = {p0:String} ORDER BY table, position)
GROUP BY table ORDER BY table
-- {"p0":"x' OR 1=1 --"}

-- view calls
CREATE OR REPLACE VIEW sql_heddle.calls DEFINER = heddle_sql_views SQL SECURITY DEFINER AS
SELECT id, trace_id, nullIf(parent_id, '') AS parent_id, nullIf(thread_id, '') AS thread_id,
  nullIf(turn_id, '') AS turn_id, CAST(op_name AS String) AS op_name, coalesce(nullIf(display_name, ''), nullIf(extract(op_name, '^weave:///[^/]+/[^/]+/op/([^/]+):[^/:]+$'), ''), op_name) AS name,
  nullIf(display_name, '') AS display_name, started_at, ended_at, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000) AS latency_ms, multiIf(ifNull(exception, '') != '', 'error', toFloat64OrNull(JSONExtractString(if(summary_normalized = '', summary, summary_normalized), 'status_counts', 'error')) > 0, 'descendant_error', isNull(ended_at), 'running', 'success') AS status, exception,
  if(inputs = '', '{}', inputs) AS inputs, nullIf(output, '') AS output,
  if(attributes = '', '{}', attributes) AS attributes, if(summary = '', '{}', summary) AS summary,
  nullIf(otel_dump, '') AS otel_dump, input_refs, output_refs,
  nullIf(CAST(wb_user_id AS String), '') AS wb_user_id, nullIf(CAST(wb_run_id AS String), '') AS wb_run_id,
  wb_run_step, wb_run_step_end, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000) AS latency, coalesce(nullIf(extract(op_name, '^weave:///[^/]+/[^/]+/op/([^/]+):[^/:]+$'), ''), op_name) AS op, exception AS error, nullIf(CAST(field_error_type AS Nullable(String)), '') AS error_type, CAST(field_model AS Array(String)) AS model, nullIf(CAST(field_provider AS Nullable(String)), '') AS provider, field_input_tokens AS input_tokens, field_output_tokens AS output_tokens, field_total_tokens AS total_tokens, field_time_to_first_token AS time_to_first_token, CAST(field_tags AS Array(String)) AS tags, nullIf(CAST(wb_user_id AS Nullable(String)), '') AS user, nullIf(CAST(sent_by AS Nullable(String)), '') AS sent_by, nullIf(CAST(field_end_user AS Nullable(String)), '') AS end_user, nullIf(CAST(field_session AS Nullable(String)), '') AS session, nullIf(CAST(field_environment AS Nullable(String)), '') AS environment, started_at AS started, ended_at AS ended, nullIf(CAST(thread_id AS Nullable(String)), '') AS thread, trace_id AS trace, nullIf(CAST(parent_id AS Nullable(String)), '') AS parent
FROM heddle.calls FINAL PREWHERE project_id = unhex(extract(initialQueryID(), '^heddle-sql-([0-9a-f]+)-'))
COMMENT '992eba86166c9bdf'
-- {}

-- view usage
CREATE OR REPLACE VIEW sql_heddle.usage DEFINER = heddle_sql_views SQL SECURITY DEFINER AS
SELECT call_id, trace_id, parent_id, op_name, started_at, model, requests,
  toInt64(prompt) AS prompt_tokens, toInt64(completion) AS completion_tokens,
  toInt64(if(ifNull(total, 0) = 0, prompt + completion, assumeNotNull(total))) AS total_tokens,
  toInt64(cache_read) AS cache_read_tokens, toInt64(cache_creation) AS cache_creation_tokens,
  toInt64(plain_prompt) AS uncached_prompt_tokens
FROM (SELECT call_id, trace_id, parent_id, op_name, started_at, model, requests, prompt, completion, total, cache_read, cache_creation,
  if(cache_read + cache_creation > prompt OR (cache_read + cache_creation > 0 AND total = prompt + completion + cache_read + cache_creation),
    prompt, prompt - cache_read - cache_creation) AS plain_prompt
  FROM (SELECT id AS call_id, trace_id, parent_id, op_name, started_at, used.1 AS model,
      JSONExtractUInt(used.2, 'requests') AS requests, trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, 'prompt_tokens'), '"'), extract(JSONExtractRaw(used.2, 'prompt_tokens'), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, 'prompt_tokens'))), 0)) + trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, 'input_tokens'), '"'), extract(JSONExtractRaw(used.2, 'input_tokens'), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, 'input_tokens'))), 0)) AS prompt,
    trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, 'completion_tokens'), '"'), extract(JSONExtractRaw(used.2, 'completion_tokens'), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, 'completion_tokens'))), 0)) + trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, 'output_tokens'), '"'), extract(JSONExtractRaw(used.2, 'output_tokens'), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, 'output_tokens'))), 0)) AS completion,
    trunc(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, 'total_tokens'), '"'), extract(JSONExtractRaw(used.2, 'total_tokens'), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, 'total_tokens')))) AS total,
    if((JSONType(used.2, 'cache_read_input_tokens') IN ('Int64', 'UInt64', 'Double') OR match(JSONExtractRaw(used.2, 'cache_read_input_tokens'), '^"[0-9]{1,15}"$')), trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, 'cache_read_input_tokens'), '"'), extract(JSONExtractRaw(used.2, 'cache_read_input_tokens'), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, 'cache_read_input_tokens'))), 0)), trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), 'cached_tokens'), '"'), extract(JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), 'cached_tokens'), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), 'cached_tokens'))), 0))) AS cache_read,
    if((JSONType(used.2, 'cache_creation_input_tokens') IN ('Int64', 'UInt64', 'Double') OR match(JSONExtractRaw(used.2, 'cache_creation_input_tokens'), '^"[0-9]{1,15}"$')), trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, 'cache_creation_input_tokens'), '"'), extract(JSONExtractRaw(used.2, 'cache_creation_input_tokens'), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, 'cache_creation_input_tokens'))), 0)), trunc(ifNull(toFloat64OrNull(if(startsWith(JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), 'cache_write_tokens'), '"'), extract(JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), 'cache_write_tokens'), '^"([0-9]{1,15})"$'), JSONExtractRaw(used.2, if(JSONHas(used.2, 'prompt_tokens_details') AND JSONType(used.2, 'prompt_tokens_details') NOT IN ('', 'Null'), 'prompt_tokens_details', 'input_tokens_details'), 'cache_write_tokens'))), 0))) AS cache_creation
    FROM (SELECT id, trace_id, nullIf(parent_id, '') AS parent_id, CAST(op_name AS String) AS op_name, started_at,
        arrayJoin(JSONExtractKeysAndValuesRaw(if(summary_normalized = '', summary, summary_normalized), 'usage')) AS used FROM heddle.calls FINAL PREWHERE project_id = unhex(extract(initialQueryID(), '^heddle-sql-([0-9a-f]+)-')))
    WHERE JSONType(used.2) = 'Object'))
COMMENT 'c5463a80c6b2c0d9'
-- {}

-- view feedback
CREATE OR REPLACE VIEW sql_heddle.feedback DEFINER = heddle_sql_views SQL SECURITY DEFINER AS
SELECT id, weave_ref, nullIf(extract(weave_ref, '^weave:///[^/]+/[^/]+/call/([^/]+)$'), '') AS call_id,
  CAST(feedback_type AS String) AS feedback_type, payload, creator, wb_user_id, created_at,
  annotation_ref, runnable_ref, call_ref, trigger_ref, scorer_tags, scorer_ratings
FROM heddle.feedback FINAL PREWHERE project_id = unhex(extract(initialQueryID(), '^heddle-sql-([0-9a-f]+)-'))
COMMENT '998a245d12b10bb4'
-- {}

-- view objects
CREATE OR REPLACE VIEW sql_heddle.objects DEFINER = heddle_sql_views SQL SECURITY DEFINER AS
SELECT object_id, digest, version_index, is_latest, kind, base_object_class, leaf_object_class,
  created_at, wb_user_id, size_bytes, val
FROM (SELECT * FROM (SELECT *, published_at AS created_at,
      toUInt8(is_alive AND row_number() OVER (PARTITION BY object_id
        ORDER BY is_alive DESC, recency = 1 DESC, version_index DESC) = 1) AS is_latest
    FROM (SELECT object_id, digest, created_at AS first_created_at, published_at, deleted_at, kind, base_object_class, leaf_object_class,
        substring(created_by, 29) AS wb_user_id,
        toUInt32(size_bytes) AS size_bytes, val,
        toUInt8(published_at >= deleted_at) AS is_alive,
        toUInt32(row_number() OVER (PARTITION BY object_id ORDER BY created_at, digest) - 1) AS version_index,
        row_number() OVER (PARTITION BY object_id ORDER BY published_at DESC, digest DESC) AS recency
      FROM heddle.object_versions FINAL PREWHERE project_id = unhex(extract(initialQueryID(), '^heddle-sql-([0-9a-f]+)-')))) WHERE is_alive)
COMMENT '79433ba2ecc9d595'
-- {}

-- view table rows
CREATE OR REPLACE VIEW sql_heddle.table_rows DEFINER = heddle_sql_views SQL SECURITY DEFINER AS
SELECT table_digest, toUInt64(entry.2) AS row_index, entry.1 AS digest, val
FROM (SELECT digest AS table_digest, arrayJoin(arrayZip(row_digests, range(length(row_digests)))) AS entry
  FROM heddle.data_tables FINAL PREWHERE project_id = unhex(extract(initialQueryID(), '^heddle-sql-([0-9a-f]+)-'))) AS tables
INNER JOIN (SELECT digest, val FROM heddle.table_rows FINAL PREWHERE project_id = unhex(extract(initialQueryID(), '^heddle-sql-([0-9a-f]+)-'))) AS contents
ON contents.digest = entry.1
COMMENT '5761d4a3c3a568f6'
-- {}

-- sql limits
SELECT getSetting('max_execution_time') > 0 AND getSetting('max_memory_usage') > 0 AND getSetting('max_rows_to_read') > 0 AND getSetting('max_result_rows') > 0 AND getSetting('readonly') = 1, (SELECT count() FROM sql_heddle.calls) = 0
-- {}

-- sql probe: user may read tables of heddle
SELECT 1 FROM heddle.users LIMIT 0
-- {}

-- sql probe: user may read system.processes: set select_from_system_db_requires_grant, or revoke it
SELECT 1 FROM system.processes LIMIT 0
-- {}

-- sql probe: user may reach the network: revoke every grant but SELECT on the views
SELECT * FROM url('http://127.0.0.1:1/', LineAsString, 'line String') LIMIT 0
-- {}

-- sql probe: user may change settings: give it readonly = 1
SELECT 1 SETTINGS max_block_size = 12345
-- {}

-- sql probe: user may read any file
SELECT file('/')
-- {}
