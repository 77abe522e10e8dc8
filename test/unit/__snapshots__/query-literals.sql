-- {"$eq": [{"$getField": "output.score"}, {"$literal": "high"}]}
-- p0="score" p1="high"
(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String}) = {p1:String})

-- {"$eq": [{"$getField": "output.score"}, {"$literal": 5}]}
-- p0="score" p1="5"
(toInt64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String})) = {p1:Int64})

-- {"$eq": [{"$getField": "output.score"}, {"$literal": 5.0}]}
-- p0="score" p1=5
(toFloat64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String})) = {p1:Float64})

-- {"$eq": [{"$getField": "output.score"}, {"$literal": true}]}
-- p0="score"
(toUInt8OrNull(transform(ifNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String}), ''), ['true', 'false'], ['1', '0'])) = 1)

-- {"$eq": [{"$getField": "output.score"}, {"$literal": null}]}
-- p0="score"
isNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String}))

-- {"$eq": [{"$getField": "output.score"}, {"$literal": 18446744073709551615}]}
-- p0="score" p1="18446744073709551615"
(toUInt64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String})) = {p1:UInt64})

-- {"$eq": [{"$getField": "output.score"}, {"$literal": 123456789012345678901}]}
-- p0="score" p1=123456789012345680000
(toFloat64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String})) = {p1:Float64})

-- {"$eq": [{"$getField": "output.score"}, {"$literal": 1e400}]}
-- p0="score" p1="Infinity"
(toFloat64OrNull(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String})) = {p1:Float64})

-- {"$eq": [{"$getField": "output.score"}, {"$literal": {"a": 1.0}}]}
-- p0="score" p1="{\"a\": 1.0}"
(JSONExtractString(if(output_normalized = '', output, output_normalized), {p0:String}) = JSONExtractString({p1:String}))
