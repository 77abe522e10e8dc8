-- fields in documents
SELECT arrayMap(n -> n * 2 > count(), sumForEach(tests)) AS is_in_documents
FROM (SELECT [(usage_extracted = 0 OR json_fields.{p0:Identifier} = {p1:String} OR json_fields.{p2:Identifier} IN ({p3:String}, {p1:String})), (usage_extracted = 0 OR json_fields.{p4:Identifier} IN ({p3:String}, {p1:String}))] AS tests FROM calls WHERE project_id = {p5:String} ORDER BY started_at DESC LIMIT {p6:Int64})
SETTINGS max_rows_to_read = 0, max_bytes_to_read = 0
-- {"p0":"key_inputs","p1":"*","p2":"key_inputs.messages","p3":".","p4":"key_output","p5":"acme/demo","p6":100}

-- calls counted: search in documents
SELECT count() AS count FROM calls FINAL WHERE project_id = {p0:String} AND (((inputs_normalized != '' OR position(inputs, {p1:String}) > 0 OR multiSearchAny(inputs, {p2:Array(String)})) AND (position(JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p3:String}), {p1:String}) > 0)))
-- {"p0":"acme/demo","p1":"a text","p2":["\\u"],"p3":"messages"}

-- calls counted by extracted fields: search in documents
SELECT countIf((((inputs_normalized != '' OR position(inputs, {p0:String}) > 0 OR multiSearchAny(inputs, {p1:Array(String)})) AND (position(JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p2:String}), {p0:String}) > 0)) AND (substring(json_fields.{p3:Identifier}, 2) = {p4:String}))) AS count, countIf((usage_extracted = 0 OR (json_fields.{p3:Identifier} IN ({p5:String}, {p6:String})))) AS needs_documents,
  countIf((json_fields.{p3:Identifier} = '')) AS undecided
FROM calls FINAL WHERE project_id = {p7:String} AND 1
-- {"p0":"a text","p1":["\\u"],"p2":"messages","p3":"key_inputs.model","p4":"x' OR 1=1 --","p5":".","p6":"*","p7":"acme/demo"}
