-- feedback query: everything
SELECT id AS c0, payload AS c1 FROM feedback FINAL WHERE project_id = {p0:String} ORDER BY created_at, id
-- {"p0":"acme/demo"}

-- feedback query: query, sort and page
SELECT weave_ref AS c0, JSONExtractString(if(payload_query_form = '', payload, payload_query_form), {p0:String}) AS c1 FROM feedback FINAL WHERE project_id = {p1:String} AND ((({p2:Int64} = {p3:Int64}) AND (JSONExtractString(if(payload_query_form = '', payload, payload_query_form), {p4:String}) = {p5:String}))) ORDER BY (JSONHas(if(payload_query_form = '', payload, payload_query_form), {p6:String}) AND JSONType(if(payload_query_form = '', payload, payload_query_form), {p7:String}) != 'Null') DESC, toFloat64OrNull(JSONExtractString(if(payload_query_form = '', payload, payload_query_form), {p8:String})) DESC NULLS LAST, JSONExtractString(if(payload_query_form = '', payload, payload_query_form), {p9:String}) DESC, created_at, id LIMIT {p10:Int64} OFFSET {p11:Int64}
-- {"p0":"x' OR 1=1 --","p1":"acme/demo","p2":"1","p3":"1","p4":"x' OR 1=1 --","p5":"x' OR 1=1 --","p6":"x' OR 1=1 --","p7":"x' OR 1=1 --","p8":"x' OR 1=1 --","p9":"x' OR 1=1 --","p10":10,"p11":5}

-- feedback count
SELECT count() AS n FROM feedback FINAL WHERE project_id = {p0:String} AND ((({p1:Int64} = {p2:Int64}) AND (JSONExtractString(if(payload_query_form = '', payload, payload_query_form), {p3:String}) = {p4:String})))
-- {"p0":"acme/demo","p1":"1","p2":"1","p3":"x' OR 1=1 --","p4":"x' OR 1=1 --"}
