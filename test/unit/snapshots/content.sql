-- file content
SELECT chunks, base64Encode(data) AS data FROM files FINAL WHERE project_id = {p0:String} AND digest = {p1:String} ORDER BY chunk
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- table row digests
SELECT row_digests FROM data_tables FINAL WHERE project_id = {p0:String} AND digest = {p1:String}
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- table count
SELECT toUInt32(length(row_digests)) AS count FROM data_tables FINAL WHERE project_id = {p0:String} AND digest = {p1:String}
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- object contents
SELECT object_id, digest, val, toUInt8(published_at >= deleted_at) AS is_alive
FROM object_versions FINAL WHERE project_id = {p0:String} AND (object_id, digest) IN arrayZip({p1:Array(String)}, {p2:Array(String)})
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"]}

-- object last change
SELECT greatest(max(published_at), max(deleted_at)) AS last
FROM object_versions WHERE project_id = {p0:String} AND object_id = {p1:String}
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- object labels
SELECT object_id, digest, kind, label FROM (SELECT label_row.object_id AS object_id, label_row.digest AS digest, kind, label
    FROM (SELECT object_id, digest, kind, label, created_at FROM object_labels FINAL WHERE project_id = {p0:String} AND object_id IN {p1:Array(String)}) AS label_row
    INNER JOIN (SELECT object_id, digest, deleted_at FROM object_versions FINAL WHERE project_id = {p2:String}
      AND object_id IN (SELECT object_id FROM object_labels FINAL WHERE project_id = {p3:String} AND object_id IN {p4:Array(String)})) AS version
    ON label_row.object_id = version.object_id AND label_row.digest = version.digest
    WHERE label_row.created_at > version.deleted_at)
ORDER BY label, object_id, digest
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"acme/demo","p3":"acme/demo","p4":["x' OR 1=1 --"]}
