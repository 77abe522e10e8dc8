-- feedback query: everything
SELECT id AS c0, payload AS c1 FROM feedback FINAL WHERE project_id = {p0:String} ORDER BY created_at, id
-- {"p0":"acme/demo"}

-- feedback query: query, sort and page
SELECT weave_ref AS c0, JSONExtractString(if(payload_normalized = '', payload, payload_normalized), {p0:String}) AS c1 FROM feedback FINAL WHERE project_id = {p1:String} AND ((({p2:Int64} = {p2:Int64}) AND (JSONExtractString(if(payload_normalized = '', payload, payload_normalized), {p0:String}) = {p0:String}))) ORDER BY (JSONHas(if(payload_normalized = '', payload, payload_normalized), {p0:String}) AND JSONType(if(payload_normalized = '', payload, payload_normalized), {p0:String}) != 'Null') DESC, toFloat64OrNull(JSONExtractString(if(payload_normalized = '', payload, payload_normalized), {p0:String})) DESC NULLS LAST, JSONExtractString(if(payload_normalized = '', payload, payload_normalized), {p0:String}) DESC, created_at, id LIMIT {p3:Int64} OFFSET {p4:Int64}
-- {"p0":"x' OR 1=1 --","p1":"acme/demo","p2":"1","p3":10,"p4":5}

-- feedback count
SELECT count() AS n FROM feedback FINAL WHERE project_id = {p0:String} AND ((({p1:Int64} = {p1:Int64}) AND (JSONExtractString(if(payload_normalized = '', payload, payload_normalized), {p2:String}) = {p2:String})))
-- {"p0":"acme/demo","p1":"1","p2":"x' OR 1=1 --"}
