-- table query: in insertion order
SELECT place.digest AS digest, val, original_index
    FROM (SELECT row_digest AS digest, toUInt32(place_number - 1) AS original_index
    FROM (SELECT row_digests AS listed FROM data_tables FINAL WHERE project_id = {p0:String} AND digest = {p1:String})
    ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS place_number
    WHERE 1 ORDER BY original_index LIMIT {p2:Int64} OFFSET {p3:Int64}) AS place
    INNER JOIN (SELECT digest, val, if(query_form = '', val, query_form) AS document
      FROM table_rows FINAL WHERE project_id = {p4:String} AND digest IN (SELECT digest FROM (SELECT row_digest AS digest, toUInt32(place_number - 1) AS original_index
    FROM (SELECT row_digests AS listed FROM data_tables FINAL WHERE project_id = {p5:String} AND digest = {p6:String})
    ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS place_number
    WHERE 1 ORDER BY original_index LIMIT {p7:Int64} OFFSET {p8:Int64}))) AS stored
    ON place.digest = stored.digest
    ORDER BY original_index
-- {"p0":"acme/demo","p1":"x' OR 1=1 --","p2":10,"p3":5,"p4":"acme/demo","p5":"acme/demo","p6":"x' OR 1=1 --","p7":10,"p8":5}

-- table query: some rows, sorted
SELECT place.digest AS digest, val, original_index
    FROM (SELECT row_digest AS digest, toUInt32(place_number - 1) AS original_index
    FROM (SELECT row_digests AS listed FROM data_tables FINAL WHERE project_id = {p0:String} AND digest = {p1:String})
    ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS place_number
    WHERE row_digest IN {p2:Array(String)}) AS place
    INNER JOIN (SELECT digest, val, if(query_form = '', val, query_form) AS document
      FROM table_rows FINAL WHERE project_id = {p3:String} AND digest IN (SELECT digest FROM (SELECT row_digest AS digest, toUInt32(place_number - 1) AS original_index
    FROM (SELECT row_digests AS listed FROM data_tables FINAL WHERE project_id = {p4:String} AND digest = {p5:String})
    ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS place_number
    WHERE row_digest IN {p6:Array(String)}))) AS stored
    ON place.digest = stored.digest
    ORDER BY (JSONHas(document, {p7:String}, {p8:String}) AND JSONType(document, {p9:String}, {p10:String}) != 'Null') DESC, toFloat64OrNull(JSONExtractString(document, {p11:String}, {p12:String})) DESC NULLS LAST, JSONExtractString(document, {p13:String}, {p14:String}) DESC, original_index LIMIT {p15:Int64} OFFSET {p16:Int64}
-- {"p0":"acme/demo","p1":"x' OR 1=1 --","p2":["x' OR 1=1 --"],"p3":"acme/demo","p4":"acme/demo","p5":"x' OR 1=1 --","p6":["x' OR 1=1 --"],"p7":"a","p8":"x' OR 1=1 --","p9":"a","p10":"x' OR 1=1 --","p11":"a","p12":"x' OR 1=1 --","p13":"a","p14":"x' OR 1=1 --","p15":10,"p16":5}
