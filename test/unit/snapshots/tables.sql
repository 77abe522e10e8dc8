-- table query: in insertion order
SELECT listed_row.digest AS digest, val, original_index
    FROM (SELECT row_digest AS digest, toUInt32(row_position - 1) AS original_index
    FROM (SELECT row_digests AS listed FROM data_tables FINAL WHERE project_id = {p0:String} AND digest = {p1:String})
    ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS row_position
    WHERE 1 ORDER BY original_index LIMIT {p2:Int64} OFFSET {p3:Int64}) AS listed_row
    INNER JOIN (SELECT digest, val, if(val_normalized = '', val, val_normalized) AS document
      FROM table_rows FINAL WHERE project_id = {p0:String} AND digest IN (SELECT digest FROM (SELECT row_digest AS digest, toUInt32(row_position - 1) AS original_index
    FROM (SELECT row_digests AS listed FROM data_tables FINAL WHERE project_id = {p0:String} AND digest = {p1:String})
    ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS row_position
    WHERE 1 ORDER BY original_index LIMIT {p2:Int64} OFFSET {p3:Int64}))) AS stored
    ON listed_row.digest = stored.digest
    ORDER BY original_index
-- {"p0":"acme/demo","p1":"x' OR 1=1 --","p2":10,"p3":5}

-- table query: some rows, sorted
SELECT listed_row.digest AS digest, val, original_index
    FROM (SELECT row_digest AS digest, toUInt32(row_position - 1) AS original_index
    FROM (SELECT row_digests AS listed FROM data_tables FINAL WHERE project_id = {p0:String} AND digest = {p1:String})
    ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS row_position
    WHERE row_digest IN {p2:Array(String)}) AS listed_row
    INNER JOIN (SELECT digest, val, if(val_normalized = '', val, val_normalized) AS document
      FROM table_rows FINAL WHERE project_id = {p0:String} AND digest IN (SELECT digest FROM (SELECT row_digest AS digest, toUInt32(row_position - 1) AS original_index
    FROM (SELECT row_digests AS listed FROM data_tables FINAL WHERE project_id = {p0:String} AND digest = {p1:String})
    ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS row_position
    WHERE row_digest IN {p2:Array(String)}))) AS stored
    ON listed_row.digest = stored.digest
    ORDER BY (JSONHas(document, {p3:String}, {p1:String}) AND JSONType(document, {p3:String}, {p1:String}) != 'Null') DESC, toFloat64OrNull(JSONExtractString(document, {p3:String}, {p1:String})) DESC NULLS LAST, JSONExtractString(document, {p3:String}, {p1:String}) DESC, original_index LIMIT {p4:Int64} OFFSET {p5:Int64}
-- {"p0":"acme/demo","p1":"x' OR 1=1 --","p2":["x' OR 1=1 --"],"p3":"a","p4":10,"p5":5}
