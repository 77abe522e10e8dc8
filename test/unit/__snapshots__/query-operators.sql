-- {"$gt": [{"$getField": "output.score"}, {"$literal": 1}]}
-- p0="score" p1="1"
(toInt64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String})) > {p1:Int64})

-- {"$lte": [{"$literal": 1}, {"$getField": "output.score"}]}
-- p0="1" p1="score"
({p0:Int64} <= toInt64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p1:String})))

-- {"$not": [{"$or": [{"$eq": [{"$getField": "output.score"}, {"$literal": 1}]}, {"$eq": [{"$getField": "parent_id"}, {"$literal": "p"}]}]}]}
-- p0="score" p1="1" p2="p"
(NOT ((toInt64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String})) = {p1:Int64}) OR (nullIf(parent_id, '') = {p2:String})))

-- {"$in": [{"$getField": "output.score"}, [{"$literal": "a"}, {"$literal": 1}, {"$literal": 2.5}, {"$literal": null}]]}
-- p0="score" p1=["a"] p2=[1,2.5]
(isNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String})) OR (JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String}) IN {p1:Array(String)}) OR (toFloat64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String})) IN {p2:Array(Float64)}))

-- {"$in": [{"$getField": "output.score"}, []]}
0

-- {"$contains": {"input": {"$getField": "output.score"}, "substr": {"$literal": "a%"}}}
-- p0="a%" p1=["\\u"] p2="score"
((output_normalized != '' OR position(output, {p0:String}) > 0 OR multiSearchAny(output, {p1:Array(String)})) AND (position(JSONExtractString(if(output_normalized = '', output, output_normalized), {p2:String}), {p0:String}) > 0))

-- {"$contains": {"input": {"$getField": "output.score"}, "substr": {"$literal": "a"}, "case_insensitive": true}}
-- p0="a" p1=["\\u"] p2="score"
((output_normalized != '' OR positionCaseInsensitive(output, {p0:String}) > 0 OR multiSearchAny(output, {p1:Array(String)})) AND (positionCaseInsensitiveUTF8(JSONExtractString(if(output_normalized = '', output, output_normalized), {p2:String}), {p0:String}) > 0))

-- {"$contains": {"input": {"$getField": "input_refs"}, "substr": {"$literal": "weave:///a"}}}
-- p0="weave:///a"
has(input_refs, {p0:String})

-- {"$eq": [{"$literal": "1"}, {"$literal": "1"}]}
-- p0="1"
({p0:String} = {p0:String})

-- {"$eq": [{"$getField": "output.score"}, {"$getField": "inputs.expected"}]}
-- p0="score" p1="expected"
(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String}) = JSONExtractString(if(inputs_normalized = '', inputs, inputs_normalized), {p1:String}))

-- {"$literal": true}
1

-- {"$getField": "output.score"}
-- p0="score"
(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String}) NOT IN ('', 'false', '0', '-0'))

-- {"$convert": {"input": {"$getField": "output.score"}, "to": "double"}}
-- p0="score"
(toFloat64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String})) != 0)

-- {"$convert": {"input": {"$getField": "output.score"}, "to": "string"}}
-- p0="score"
(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String}) NOT IN ('', 'false', '0', '-0'))

-- {"$convert": {"input": {"$getField": "output.score"}, "to": "int"}}
-- p0="score"
(toInt64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String})) != 0)

-- {"$convert": {"input": {"$getField": "output.score"}, "to": "bool"}}
-- p0="score"
(toUInt8OrNull(transform(ifNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String}), ''), ['true', 'false'], ['1', '0'])) != 0)

-- {"$convert": {"input": {"$getField": "output.score"}, "to": "exists"}}
-- p0="score"
((JSONHas(if(output_normalized = '', output, output_normalized), {p0:String}) AND JSONType(if(output_normalized = '', output, output_normalized), {p0:String}) != 'Null') != 0)

-- {"$gt": [{"$size": {"$getField": "output.score"}}, {"$literal": 2}]}
-- p0="score" p1="2"
(if(JSONType(if(output_normalized = '', output, output_normalized), {p0:String}) IN ('Array', 'Object'), JSONLength(if(output_normalized = '', output, output_normalized), {p0:String}), lengthUTF8(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String}))) > {p1:Int64})
