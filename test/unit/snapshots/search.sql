-- has a matching note
SELECT substring(weave_ref, {p0:Int64}) AS id FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} AND match(JSONExtractString(if(payload_normalized = '', payload, payload_normalized), 'note'), {p4:String})
-- {"p0":25,"p1":"acme/demo","p2":"weave:///acme/demo/call/","p3":"wandb.note.1","p4":"[\\x{78}\\x{58}][\\x{27}][\\x{20}][\\x{4f}\\x{6f}][\\x{52}\\x{72}][\\x{20}][\\x{31}][\\x{3d}][\\x{31}][\\x{20}][\\x{2d}][\\x{2d}]"}

-- search: everywhere
SELECT id, toUnixTimestamp64Micro(started_at) AS started, trace_id, parent_id, op_name, display_name, started_at, ended_at,
  ifNull(exception, '') != '' AS has_exception, wb_user_id,
  if(match(coalesce(nullIf(extract(op_name, {p0:String}), ''), op_name), {p1:String}), left(coalesce(nullIf(extract(op_name, {p0:String}), ''), op_name), {p2:Int64}), NULL) AS found_name,
  if(match(display_name, {p1:String}), left(display_name, {p2:Int64}), NULL) AS found_display_name,
  if(match(ifNull(exception, ''), {p1:String}), left(ifNull(exception, ''), {p2:Int64}), NULL) AS found_exception,
  if((positionCaseInsensitive(inputs, {p3:String}) > 0 OR multiSearchAny(inputs, {p4:Array(String)})) AND (match(inputs, {p5:String})), left(inputs, {p2:Int64}), NULL) AS found_inputs,
  if((positionCaseInsensitive(output, {p3:String}) > 0 OR multiSearchAny(output, {p6:Array(String)})) AND (match(output, {p5:String})), left(output, {p2:Int64}), NULL) AS found_output
FROM calls FINAL WHERE project_id = {p7:String} AND (match(coalesce(nullIf(extract(op_name, {p0:String}), ''), op_name), {p1:String}) OR match(display_name, {p1:String}) OR match(ifNull(exception, ''), {p1:String}) OR (positionCaseInsensitive(inputs, {p3:String}) > 0 OR multiSearchAny(inputs, {p8:Array(String)})) AND (match(inputs, {p5:String})) OR (positionCaseInsensitive(output, {p3:String}) > 0 OR multiSearchAny(output, {p9:Array(String)})) AND (match(output, {p5:String})))
ORDER BY started_at DESC, id DESC LIMIT {p10:Int64}
-- {"p0":"^weave:///[^/]+/[^/]+/op/([^/]+):[^/:]+$","p1":"[\\x{78}\\x{58}][\\x{27}][\\x{20}][\\x{4f}\\x{6f}][\\x{52}\\x{72}][\\x{20}][\\x{31}][\\x{3d}][\\x{31}][\\x{20}][\\x{2d}][\\x{2d}]","p2":262144,"p3":"x' OR 1=1 --","p4":["\\u"],"p5":"^(?s:[^\\\\]|\\\\[^u]|\\\\u.{4})*?(?:[\\x{78}\\x{58}]|\\\\u0078|\\\\u0058)(?:[\\x{27}]|\\\\u0027)(?:[\\x{20}]|\\\\u0020)(?:[\\x{4f}\\x{6f}]|\\\\u004[fF]|\\\\u006[fF])(?:[\\x{52}\\x{72}]|\\\\u0052|\\\\u0072)(?:[\\x{20}]|\\\\u0020)(?:[\\x{31}]|\\\\u0031)(?:[\\x{3d}]|\\\\u003[dD])(?:[\\x{31}]|\\\\u0031)(?:[\\x{20}]|\\\\u0020)(?:[\\x{2d}]|\\\\u002[dD])(?:[\\x{2d}]|\\\\u002[dD])","p6":["\\u"],"p7":"acme/demo","p8":["\\u"],"p9":["\\u"],"p10":51}

-- search: one field, narrowed, with an index
SELECT id, toUnixTimestamp64Micro(started_at) AS started, trace_id, parent_id, op_name, display_name, started_at, ended_at,
  ifNull(exception, '') != '' AS has_exception, wb_user_id,
  CAST(NULL AS Nullable(String)) AS found_name,
  CAST(NULL AS Nullable(String)) AS found_display_name,
  CAST(NULL AS Nullable(String)) AS found_exception,
  if((multiSearchAny(inputs, {p0:Array(String)})) AND (match(inputs, {p1:String})), left(inputs, {p2:Int64}), NULL) AS found_inputs,
  CAST(NULL AS Nullable(String)) AS found_output
FROM calls FINAL WHERE project_id = {p3:String} AND (started_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC')) AND (started_at <= fromUnixTimestamp64Micro({p5:Int64}, 'UTC') AND (started_at, id) < (fromUnixTimestamp64Micro({p5:Int64}, 'UTC'), {p6:String})) AND (caseFoldUTF8(concat(if(position(if(empty(inputs_normalized), inputs, inputs_normalized), '\\u') = 0, if(empty(inputs_normalized), inputs, inputs_normalized), JSONExtractString(concat('"', replaceAll(replaceAll(replaceAll(translate(if(empty(inputs_normalized), inputs, inputs_normalized), '\n\r\t', '   '), '\\\\', '\\u005c'), '\\"', '\\u0022'), '"', '\\u0022'), '"'))), '\n', if(position(if(empty(output_normalized), output, output_normalized), '\\u') = 0, if(empty(output_normalized), output, output_normalized), JSONExtractString(concat('"', replaceAll(replaceAll(replaceAll(translate(if(empty(output_normalized), output, output_normalized), '\n\r\t', '   '), '\\\\', '\\u005c'), '\\"', '\\u0022'), '"', '\\u0022'), '"'))), '\n', ifNull(exception, ''), '\n', display_name, '\n', op_name)) LIKE {p7:String}) AND (op_name IN {p8:Array(String)}) AND ((multiSearchAny(inputs, {p9:Array(String)})) AND (match(inputs, {p1:String})))
ORDER BY started_at DESC, id DESC LIMIT {p10:Int64}
-- {"p0":["Züric","ZüriC","ZürIc","ZürIC","ZüRic","ZüRiC","ZüRIc","ZüRIC","ZÜric","ZÜriC","ZÜrIc","ZÜrIC","ZÜRic","ZÜRiC","ZÜRIc","ZÜRIC","züric","züriC","zürIc","zürIC","züRic","züRiC","züRIc","züRIC","zÜric","zÜriC","zÜrIc","zÜrIC","zÜRic","zÜRiC","zÜRIc","zÜRIC","\\u"],"p1":"^(?s:[^\\\\]|\\\\[^u]|\\\\u.{4})*?(?:[\\x{5a}\\x{7a}]|\\\\u005[aA]|\\\\u007[aA])(?:[\\x{fc}\\x{dc}]|\\\\u00[fF][cC]|\\\\u00[dD][cC])(?:[\\x{72}\\x{52}]|\\\\u0072|\\\\u0052)(?:[\\x{69}\\x{49}]|\\\\u0069|\\\\u0049)(?:[\\x{63}\\x{43}]|\\\\u0063|\\\\u0043)(?:[\\x{68}\\x{48}]|\\\\u0068|\\\\u0048)(?:[\\x{20}]|\\\\u0020)(?:[\\x{22}]|\\\\[\\x{22}]|\\\\u0022)(?:[\\x{48}\\x{68}]|\\\\u0048|\\\\u0068)(?:[\\x{62}\\x{42}]|\\\\u0062|\\\\u0042)(?:[\\x{66}\\x{46}]|\\\\u0066|\\\\u0046)(?:[\\x{22}]|\\\\[\\x{22}]|\\\\u0022)","p2":262144,"p3":"acme/demo","p4":"1794715200000000","p5":"1794801600000000","p6":"x' OR 1=1 --","p7":"%rich%","p8":["x' OR 1=1 --"],"p9":["Züric","ZüriC","ZürIc","ZürIC","ZüRic","ZüRiC","ZüRIc","ZüRIC","ZÜric","ZÜriC","ZÜrIc","ZÜrIC","ZÜRic","ZÜRiC","ZÜRIc","ZÜRIC","züric","züriC","zürIc","zürIC","züRic","züRiC","züRIc","züRIC","zÜric","zÜriC","zÜrIc","zÜrIC","zÜRic","zÜRiC","zÜRIc","zÜRIC","\\u"],"p10":51}

-- search by note
SELECT id, toUnixTimestamp64Micro(started_at) AS started, trace_id, parent_id, op_name, display_name, started_at, ended_at,
  ifNull(exception, '') != '' AS has_exception, wb_user_id,
  CAST(NULL AS Nullable(String)) AS found_name,
  CAST(NULL AS Nullable(String)) AS found_display_name,
  CAST(NULL AS Nullable(String)) AS found_exception,
  CAST(NULL AS Nullable(String)) AS found_inputs,
  CAST(NULL AS Nullable(String)) AS found_output
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT started_at, id FROM call_ids FINAL WHERE project_id = {p0:String} AND is_part = 0 AND id IN (SELECT substring(weave_ref, {p1:Int64}) AS id FROM feedback FINAL WHERE project_id = {p0:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} AND match(JSONExtractString(if(payload_normalized = '', payload, payload_normalized), 'note'), {p4:String})))
  AND (started_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC'))
ORDER BY started_at DESC, id DESC LIMIT {p6:Int64}
-- {"p0":"acme/demo","p1":25,"p2":"weave:///acme/demo/call/","p3":"wandb.note.1","p4":"[\\x{78}\\x{58}][\\x{27}][\\x{20}][\\x{4f}\\x{6f}][\\x{52}\\x{72}][\\x{20}][\\x{31}][\\x{3d}][\\x{31}][\\x{20}][\\x{2d}][\\x{2d}]","p5":"1794801600000000","p6":51}

-- matching notes
SELECT id, substring(weave_ref, {p0:Int64}) AS call_id, JSONExtractString(if(payload_normalized = '', payload, payload_normalized), 'note') AS note
FROM feedback FINAL WHERE project_id = {p1:String} AND startsWith(weave_ref, {p2:String}) AND feedback_type = {p3:String} AND weave_ref IN {p4:Array(String)} AND match(JSONExtractString(if(payload_normalized = '', payload, payload_normalized), 'note'), {p5:String})
ORDER BY created_at DESC, id DESC
-- {"p0":25,"p1":"acme/demo","p2":"weave:///acme/demo/call/","p3":"wandb.note.1","p4":["weave:///acme/demo/call/x' OR 1=1 --","weave:///acme/demo/call/b"],"p5":"[\\x{61}\\x{41}]"}

-- page boundary
SELECT toUnixTimestamp64Micro(started_at) AS started
FROM calls WHERE project_id = {p0:String} AND (started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC')) AND (started_at <= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) < (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String}))
ORDER BY started_at DESC LIMIT 1 OFFSET {p4:Int64}
-- {"p0":"acme/demo","p1":"1794715200000000","p2":"1794801600000000","p3":"x' OR 1=1 --","p4":4096}

-- search index
SELECT count() AS n FROM system.data_skipping_indices
WHERE database = currentDatabase() AND table = 'calls' AND name = {p0:String}
-- {"p0":"search_words"}
