-- feedback query: everything
SELECT id AS field_id, payload AS field_payload FROM feedback FINAL WHERE project_id = {p0:String} ORDER BY created_at, id
-- {"p0":"acme/demo"}

-- feedback query: query, sort and page
SELECT weave_ref AS field_weave_ref, payload AS field_payload FROM feedback FINAL WHERE project_id = {p0:String} AND ((({p1:Int64} = {p1:Int64}) AND (if(startsWith(if(payload_normalized != '', replaceRegexpOne(JSONExtractRaw(if(payload_normalized = '', payload, payload_normalized), {p2:String}), '^"(-?[0-9]{19,}|-?[0-9]+([.][0-9]+)?[eE][+]?[0-9]{2,})"$', '\\1'), JSONExtractRaw(if(payload_normalized = '', payload, payload_normalized), {p2:String})), '"'), JSONExtractString(if(payload_normalized = '', payload, payload_normalized), {p2:String}), NULL) = {p2:String}))) ORDER BY (JSONHas(if(payload_normalized = '', payload, payload_normalized), {p2:String}) AND JSONType(if(payload_normalized = '', payload, payload_normalized), {p2:String}) != 'Null') DESC, toFloat64OrNull(if(payload_normalized != '', replaceRegexpOne(JSONExtractRaw(if(payload_normalized = '', payload, payload_normalized), {p2:String}), '^"(-?[0-9]{19,}|-?[0-9]+([.][0-9]+)?[eE][+]?[0-9]{2,})"$', '\\1'), JSONExtractRaw(if(payload_normalized = '', payload, payload_normalized), {p2:String}))) DESC NULLS LAST, JSONExtractString(if(payload_normalized = '', payload, payload_normalized), {p2:String}) DESC, created_at, id LIMIT {p3:Int64} OFFSET {p4:Int64}
-- {"p0":"acme/demo","p1":"1","p2":"x' OR 1=1 --","p3":10,"p4":5}

-- feedback count
SELECT count() AS n FROM feedback FINAL WHERE project_id = {p0:String} AND ((({p1:Int64} = {p1:Int64}) AND (if(startsWith(if(payload_normalized != '', replaceRegexpOne(JSONExtractRaw(if(payload_normalized = '', payload, payload_normalized), {p2:String}), '^"(-?[0-9]{19,}|-?[0-9]+([.][0-9]+)?[eE][+]?[0-9]{2,})"$', '\\1'), JSONExtractRaw(if(payload_normalized = '', payload, payload_normalized), {p2:String})), '"'), JSONExtractString(if(payload_normalized = '', payload, payload_normalized), {p2:String}), NULL) = {p2:String})))
-- {"p0":"acme/demo","p1":"1","p2":"x' OR 1=1 --"}
