-- export calls
SELECT c0 AS id, c1 AS project_id, c2 AS op_name, c3 AS display_name
FROM (SELECT id AS c0, project_id AS c1, op_name AS c2, nullIf(display_name, '') AS c3, started_at AS k0, id AS k1
FROM calls FINAL WHERE project_id = {p0:String} AND ((started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String})) AND (started_at <= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (started_at, id) <= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p4:String}))) AND (trace_id IN {p5:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p6:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p6:Array(String)}).2) AND ((op_name = {p2:String})))
ORDER BY k0, k1
-- {"p0":"acme/demo","p1":"1767225600000001","p2":"x' OR 1=1 --","p3":"1767225600000002","p4":"b","p5":["x' OR 1=1 --"],"p6":["x' OR 1=1 --"]}

-- export calls piece
SELECT rows, last.1 AS k0, last.2 AS k1
FROM (SELECT count() AS rows, max((started_at, id)) AS last
FROM (SELECT started_at, id FROM calls FINAL WHERE project_id = {p0:String} AND ((started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String}))) AND (trace_id IN {p3:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p4:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p4:Array(String)}).2) AND ((op_name = {p2:String}))
ORDER BY started_at, id LIMIT {p5:Int64}))
-- {"p0":"acme/demo","p1":"1767225600000001","p2":"x' OR 1=1 --","p3":["x' OR 1=1 --"],"p4":["x' OR 1=1 --"],"p5":1000}

-- export calls counted
SELECT count() AS count FROM calls FINAL WHERE project_id = {p0:String} AND (1) AND (trace_id IN {p1:Array(String)}) AND (started_at BETWEEN (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).1 AND (SELECT (min(started_at), max(started_at)) FROM calls WHERE project_id = {p0:String} AND trace_id IN {p2:Array(String)}).2) AND ((op_name = {p3:String}))
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":"x' OR 1=1 --"}

-- export feedback
SELECT c0 AS id, c1 AS project_id, c2 AS weave_ref, c3 AS wb_user_id
FROM (SELECT id AS c0, project_id AS c1, weave_ref AS c2, wb_user_id AS c3, created_at AS k0, id AS k1
FROM feedback FINAL WHERE project_id = {p0:String} AND ((created_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (created_at, id) > (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String})) AND (created_at <= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (created_at, id) <= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p4:String}))) AND ((feedback_type = {p2:String})))
ORDER BY k0, k1
-- {"p0":"acme/demo","p1":"1767225600000001","p2":"x' OR 1=1 --","p3":"1767225600000002","p4":"b"}

-- export feedback piece
SELECT rows, last.1 AS k0, last.2 AS k1
FROM (SELECT count() AS rows, max((created_at, id)) AS last
FROM (SELECT created_at, id FROM feedback FINAL WHERE project_id = {p0:String} AND ((created_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (created_at, id) > (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String}))) AND ((feedback_type = {p2:String}))
ORDER BY created_at, id LIMIT {p3:Int64}))
-- {"p0":"acme/demo","p1":"1767225600000001","p2":"x' OR 1=1 --","p3":1000}

-- export feedback counted
SELECT count() AS count FROM feedback FINAL WHERE project_id = {p0:String} AND (1) AND ((feedback_type = {p1:String}))
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- export objects
SELECT c0 AS project_id, c1 AS object_id, c2 AS created_at, c3 AS digest
FROM (SELECT {p0:String} AS c0, object_id AS c1, created_at AS c2, digest AS c3, created_at AS k0, object_id AS k1, digest AS k2
FROM (
  SELECT object_id AS of_object, digest AS of_digest, val FROM object_versions FINAL WHERE project_id = {p0:String}) AS content
INNER JOIN (SELECT * FROM (SELECT * REPLACE (first_created_at AS created_at) FROM (SELECT * FROM (SELECT *, published_at AS created_at,
      toUInt8(is_alive AND row_number() OVER (PARTITION BY object_id
        ORDER BY is_alive DESC, recency = 1 DESC, version_index DESC) = 1) AS is_latest
    FROM (SELECT object_id, digest, created_at AS first_created_at, published_at, deleted_at, kind, base_object_class, leaf_object_class,
        substring(created_by, {p1:Int64}) AS wb_user_id,
        toUInt32(size_bytes) AS size_bytes,
        toUInt8(published_at >= deleted_at) AS is_alive,
        toUInt32(row_number() OVER (PARTITION BY object_id ORDER BY created_at, digest) - 1) AS version_index,
        row_number() OVER (PARTITION BY object_id ORDER BY published_at DESC, digest DESC) AS recency
      FROM object_versions FINAL WHERE project_id = {p0:String} AND object_id IN {p2:Array(String)}))
    WHERE is_alive AND 1
    ORDER BY created_at, object_id, digest )) WHERE (created_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (created_at, object_id, digest) > (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p4:String}, {p5:String})) AND (created_at <= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (created_at, object_id, digest) <= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p6:String}, {p5:String}))) AS version
  ON content.of_object = version.object_id AND content.of_digest = version.digest
LEFT JOIN (SELECT object_id AS on_object, digest AS on_digest,
    arraySort(groupArrayIf(label, kind = 'tag')) AS tags, arraySort(groupArrayIf(label, kind = 'alias')) AS aliases
  FROM (SELECT label_row.object_id AS object_id, label_row.digest AS digest, kind, label
    FROM (SELECT object_id, digest, kind, label, created_at FROM object_labels FINAL WHERE project_id = {p0:String} AND 1) AS label_row
    INNER JOIN (SELECT object_id, digest, deleted_at FROM object_versions FINAL WHERE project_id = {p0:String}
      AND object_id IN (SELECT object_id FROM object_labels FINAL WHERE project_id = {p0:String} AND 1)) AS version
    ON label_row.object_id = version.object_id AND label_row.digest = version.digest
    WHERE label_row.created_at > version.deleted_at) GROUP BY object_id, digest) AS labelled
  ON labelled.on_object = version.object_id AND labelled.on_digest = version.digest
WHERE 1)
ORDER BY k0, k1, k2
-- {"p0":"acme/demo","p1":29,"p2":["x' OR 1=1 --"],"p3":"1767225600000001","p4":"x' OR 1=1 --","p5":"d","p6":"z"}

-- export objects piece
SELECT rows, last.1 AS k0, last.2 AS k1, last.3 AS k2
FROM (SELECT count() AS rows, max((created_at, object_id, digest)) AS last
FROM (SELECT created_at, object_id, digest FROM (SELECT * REPLACE (first_created_at AS created_at) FROM (SELECT * FROM (SELECT *, published_at AS created_at,
      toUInt8(is_alive AND row_number() OVER (PARTITION BY object_id
        ORDER BY is_alive DESC, recency = 1 DESC, version_index DESC) = 1) AS is_latest
    FROM (SELECT object_id, digest, created_at AS first_created_at, published_at, deleted_at, kind, base_object_class, leaf_object_class,
        substring(created_by, {p0:Int64}) AS wb_user_id,
        toUInt32(size_bytes) AS size_bytes,
        toUInt8(published_at >= deleted_at) AS is_alive,
        toUInt32(row_number() OVER (PARTITION BY object_id ORDER BY created_at, digest) - 1) AS version_index,
        row_number() OVER (PARTITION BY object_id ORDER BY published_at DESC, digest DESC) AS recency
      FROM object_versions FINAL WHERE project_id = {p1:String} AND object_id IN {p2:Array(String)}))
    WHERE is_alive AND 1
    ORDER BY created_at, object_id, digest )) WHERE (created_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (created_at, object_id, digest) > (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p4:String}, {p5:String}))
ORDER BY created_at, object_id, digest LIMIT {p6:Int64}))
-- {"p0":29,"p1":"acme/demo","p2":["x' OR 1=1 --"],"p3":"1767225600000001","p4":"x' OR 1=1 --","p5":"d","p6":1000}

-- export objects counted
SELECT count() AS count FROM (SELECT * REPLACE (first_created_at AS created_at) FROM (SELECT * FROM (SELECT *, published_at AS created_at,
      toUInt8(is_alive AND row_number() OVER (PARTITION BY object_id
        ORDER BY is_alive DESC, recency = 1 DESC, version_index DESC) = 1) AS is_latest
    FROM (SELECT object_id, digest, created_at AS first_created_at, published_at, deleted_at, kind, base_object_class, leaf_object_class,
        substring(created_by, {p0:Int64}) AS wb_user_id,
        toUInt32(size_bytes) AS size_bytes,
        toUInt8(published_at >= deleted_at) AS is_alive,
        toUInt32(row_number() OVER (PARTITION BY object_id ORDER BY created_at, digest) - 1) AS version_index,
        row_number() OVER (PARTITION BY object_id ORDER BY published_at DESC, digest DESC) AS recency
      FROM object_versions FINAL WHERE project_id = {p1:String} AND object_id IN {p2:Array(String)}))
    WHERE is_alive AND 1
    ORDER BY created_at, object_id, digest )) WHERE 1
-- {"p0":29,"p1":"acme/demo","p2":["x' OR 1=1 --"]}

-- export tables
SELECT c0 AS digest, c1 AS row_count, c2 AS original_index, c3 AS row_digest
FROM (SELECT digest AS c0, row_count AS c1, original_index AS c2, nullIf(row_digest, '') AS c3, digest AS k0, original_index AS k1
FROM (SELECT digest AS stored_digest, val FROM table_rows FINAL WHERE project_id = {p0:String}
  AND digest IN (SELECT row_digest FROM (SELECT digest, created_at, row_count, row_digest, original_index
  FROM (SELECT digest, created_at, toUInt32(length(listed)) AS row_count, row_digest,
      toUInt32(greatest(row_position, 1) - 1) AS original_index
    FROM (SELECT digest, created_at, row_digests AS listed FROM data_tables FINAL WHERE project_id = {p0:String} AND digest IN {p1:Array(String)})
    LEFT ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS row_position)
  WHERE (digest >= {p2:String} AND (digest, original_index) > ({p2:String}, {p3:UInt64})) AND (digest <= {p4:String} AND (digest, original_index) <= ({p4:String}, {p5:UInt64}))))) AS stored
RIGHT JOIN (SELECT digest, created_at, row_count, row_digest, original_index
  FROM (SELECT digest, created_at, toUInt32(length(listed)) AS row_count, row_digest,
      toUInt32(greatest(row_position, 1) - 1) AS original_index
    FROM (SELECT digest, created_at, row_digests AS listed FROM data_tables FINAL WHERE project_id = {p0:String} AND digest IN {p1:Array(String)})
    LEFT ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS row_position)
  WHERE (digest >= {p2:String} AND (digest, original_index) > ({p2:String}, {p3:UInt64})) AND (digest <= {p4:String} AND (digest, original_index) <= ({p4:String}, {p5:UInt64}))) AS listed_row ON stored.stored_digest = listed_row.row_digest
WHERE 1)
ORDER BY k0, k1
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"x' OR 1=1 --","p3":3,"p4":"z","p5":4}

-- export tables piece
SELECT rows, last.1 AS k0, last.2 AS k1
FROM (SELECT count() AS rows, max((digest, original_index)) AS last
FROM (SELECT digest, original_index FROM (SELECT digest, created_at, row_count, row_digest, original_index
  FROM (SELECT digest, created_at, toUInt32(length(listed)) AS row_count, row_digest,
      toUInt32(greatest(row_position, 1) - 1) AS original_index
    FROM (SELECT digest, created_at, row_digests AS listed FROM data_tables FINAL WHERE project_id = {p0:String} AND digest IN {p1:Array(String)})
    LEFT ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS row_position)
  WHERE (digest >= {p2:String} AND (digest, original_index) > ({p2:String}, {p3:UInt64}))) WHERE 1
ORDER BY digest, original_index LIMIT {p4:Int64}))
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"x' OR 1=1 --","p3":3,"p4":1000}

-- export tables counted
SELECT count() AS count FROM (SELECT digest, created_at, row_count, row_digest, original_index
  FROM (SELECT digest, created_at, toUInt32(length(listed)) AS row_count, row_digest,
      toUInt32(greatest(row_position, 1) - 1) AS original_index
    FROM (SELECT digest, created_at, row_digests AS listed FROM data_tables FINAL WHERE project_id = {p0:String} AND digest IN {p1:Array(String)})
    LEFT ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS row_position)
  WHERE 1) WHERE 1
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"]}

-- export files
SELECT c0 AS digest, c1 AS chunk, c2 AS chunks, c3 AS base64
FROM (SELECT digest AS c0, chunk AS c1, chunks AS c2, base64Encode(data) AS c3, digest AS k0, chunk AS k1
FROM files FINAL WHERE project_id = {p0:String} AND digest IN {p1:Array(String)} AND (digest >= {p2:String} AND (digest, chunk) > ({p2:String}, {p3:UInt64})) AND (digest <= {p4:String} AND (digest, chunk) <= ({p4:String}, {p5:UInt64})))
ORDER BY k0, k1
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"x' OR 1=1 --","p3":3,"p4":"z","p5":4}

-- export files piece
SELECT rows, last.1 AS k0, last.2 AS k1
FROM (SELECT count() AS rows, max((digest, chunk)) AS last
FROM (SELECT digest, chunk FROM files FINAL WHERE project_id = {p0:String} AND digest IN {p1:Array(String)} AND (digest >= {p2:String} AND (digest, chunk) > ({p2:String}, {p3:UInt64}))
ORDER BY digest, chunk LIMIT {p4:Int64}))
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"x' OR 1=1 --","p3":3,"p4":1000}

-- export files counted
SELECT count() AS count FROM files FINAL WHERE project_id = {p0:String} AND digest IN {p1:Array(String)} AND 1
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"]}

-- parquet file
SELECT * FROM parquet_file ORDER BY started_at, id
-- {}
