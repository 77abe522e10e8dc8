-- file content
SELECT chunks, base64Encode(data) AS data FROM files FINAL WHERE project_id = {p0:String} AND digest = {p1:String} ORDER BY chunk
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- table row digests
SELECT row_digests FROM data_tables FINAL WHERE project_id = {p0:String} AND digest = {p1:String}
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- table count
SELECT toUInt32(length(row_digests)) AS count FROM data_tables FINAL WHERE project_id = {p0:String} AND digest = {p1:String}
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- table member names
SELECT name FROM (
  SELECT member.1 AS name, min((row_position, member.2)) AS first_seen
  FROM (SELECT digest AS row_digest, arrayJoin(arrayZip(JSONExtractKeys(val) AS names, arrayEnumerate(names))) AS member
    FROM table_rows FINAL WHERE project_id = {p0:String} AND digest IN (SELECT arrayJoin(row_digests) FROM (SELECT row_digests FROM data_tables FINAL WHERE project_id = {p0:String} AND digest = {p1:String}))) AS stored
  INNER JOIN (SELECT row_digest, row_position FROM (SELECT row_digests FROM data_tables FINAL WHERE project_id = {p0:String} AND digest = {p1:String})
    ARRAY JOIN row_digests AS row_digest, arrayEnumerate(row_digests) AS row_position) AS listed USING (row_digest)
  GROUP BY name)
ORDER BY first_seen LIMIT {p2:Int64}
-- {"p0":"acme/demo","p1":"x' OR 1=1 --","p2":10}

-- object contents
SELECT object_id, digest, val, toUInt8(published_at >= deleted_at) AS is_alive
FROM object_versions FINAL WHERE project_id = {p0:String} AND (object_id, digest) IN arrayZip({p1:Array(String)}, {p2:Array(String)})
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"]}

-- object contents up to a size
SELECT object_id, digest, val, toUInt8(published_at >= deleted_at) AS is_alive
FROM object_versions FINAL WHERE project_id = {p0:String} AND (object_id, digest) IN (
  SELECT object_id, digest FROM (
    SELECT object_id, digest, sum(size_bytes) OVER (ORDER BY size_bytes, object_id, digest) AS total FROM object_versions FINAL WHERE project_id = {p0:String} AND (object_id, digest) IN arrayZip({p1:Array(String)}, {p2:Array(String)}))
  WHERE total <= {p3:Int64})
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["x' OR 1=1 --"],"p3":1000}

-- stored spans
SELECT id, toUnixTimestamp64Micro(started_at) AS started, sent_by, start_version, end_version, otel_dump,
  toUInt32(length(otel_dump)) AS bytes
FROM calls FINAL WHERE project_id = {p0:String} AND (started_at, id) IN (
  SELECT started_at, id FROM (
    SELECT started_at, id, sum(bytes) OVER (ORDER BY started_at, id) - bytes AS bytes_before FROM (
      SELECT started_at, id, otel_dump.size AS bytes
      FROM calls FINAL WHERE project_id = {p0:String} AND otel_dump.size != 0 AND isNotNull(ended_at) AND (started_at, id) > (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String})
      ORDER BY started_at, id LIMIT {p3:Int64}))
  WHERE bytes_before < {p4:Int64})
ORDER BY started_at, id
-- {"p0":"acme/demo","p1":"1","p2":"x' OR 1=1 --","p3":10,"p4":16777216}

-- object last change
SELECT greatest(max(published_at), max(deleted_at)) AS last
FROM object_versions WHERE project_id = {p0:String} AND object_id = {p1:String}
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- object classes
SELECT maxIf(base_object_class, base_object_class != {p0:String}) AS other,
  toUInt8(countIf(digest = {p0:String}) > 0) AS is_known
FROM object_versions FINAL WHERE project_id = {p1:String} AND object_id = {p0:String} AND published_at >= deleted_at
-- {"p0":"x' OR 1=1 --","p1":"acme/demo"}

-- object labels
SELECT object_id, digest, kind, label FROM (SELECT label_row.object_id AS object_id, label_row.digest AS digest, kind, label
    FROM (SELECT object_id, digest, kind, label, created_at FROM object_labels FINAL WHERE project_id = {p0:String} AND object_id IN {p1:Array(String)}) AS label_row
    INNER JOIN (SELECT object_id, digest, deleted_at FROM object_versions FINAL WHERE project_id = {p0:String}
      AND object_id IN (SELECT object_id FROM object_labels FINAL WHERE project_id = {p0:String} AND object_id IN {p1:Array(String)})) AS version
    ON label_row.object_id = version.object_id AND label_row.digest = version.digest
    WHERE label_row.created_at > version.deleted_at)
ORDER BY label, object_id, digest
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"]}

-- object last label change
SELECT max(created_at) AS last FROM object_labels WHERE project_id = {p0:String} AND object_id = {p1:String}
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- tags
SELECT DISTINCT label FROM (SELECT label_row.object_id AS object_id, label_row.digest AS digest, kind, label
    FROM (SELECT object_id, digest, kind, label, created_at FROM object_labels FINAL WHERE project_id = {p0:String} AND kind = 'tag') AS label_row
    INNER JOIN (SELECT object_id, digest, deleted_at FROM object_versions FINAL WHERE project_id = {p0:String}
      AND object_id IN (SELECT object_id FROM object_labels FINAL WHERE project_id = {p0:String} AND kind = 'tag')) AS version
    ON label_row.object_id = version.object_id AND label_row.digest = version.digest
    WHERE label_row.created_at > version.deleted_at) ORDER BY label
-- {"p0":"x' OR 1=1 --"}

-- aliases
SELECT DISTINCT label FROM (
    SELECT label FROM (SELECT label_row.object_id AS object_id, label_row.digest AS digest, kind, label
    FROM (SELECT object_id, digest, kind, label, created_at FROM object_labels FINAL WHERE project_id = {p0:String} AND kind = 'alias') AS label_row
    INNER JOIN (SELECT object_id, digest, deleted_at FROM object_versions FINAL WHERE project_id = {p0:String}
      AND object_id IN (SELECT object_id FROM object_labels FINAL WHERE project_id = {p0:String} AND kind = 'alias')) AS version
    ON label_row.object_id = version.object_id AND label_row.digest = version.digest
    WHERE label_row.created_at > version.deleted_at)
    UNION ALL
    SELECT 'latest' AS label FROM object_versions FINAL WHERE project_id = {p0:String} AND published_at >= deleted_at LIMIT 1
) ORDER BY label
-- {"p0":"x' OR 1=1 --"}

-- table stats
SELECT listed_row.digest AS digest, toUInt32(any(rows)) AS count, sum(size) AS size_bytes
FROM (SELECT digest, length(row_digests) AS rows, row_digest FROM (SELECT digest, row_digests FROM data_tables FINAL WHERE project_id = {p0:String} AND digest IN {p1:Array(String)}) LEFT ARRAY JOIN row_digests AS row_digest) AS listed_row
LEFT JOIN (SELECT digest, val.size AS size FROM table_rows FINAL WHERE project_id = {p0:String}
  AND digest IN (SELECT arrayJoin(row_digests) FROM (SELECT digest, row_digests FROM data_tables FINAL WHERE project_id = {p0:String} AND digest IN {p1:Array(String)}))) AS stored
ON listed_row.row_digest = stored.digest
GROUP BY listed_row.digest
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"]}

-- stored bytes: calls
SELECT sum((attributes.size + inputs.size + output.size + summary.size + otel_dump.size)) AS bytes FROM calls FINAL WHERE project_id = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- stored bytes: objects
SELECT sum(size_bytes) AS bytes FROM object_versions FINAL WHERE project_id = {p0:String} AND published_at >= deleted_at
-- {"p0":"x' OR 1=1 --"}

-- stored bytes: tables
SELECT sum(val.size) AS bytes FROM table_rows FINAL WHERE project_id = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- stored bytes: files
SELECT sum(data.size) AS bytes FROM files FINAL WHERE project_id = {p0:String}
-- {"p0":"x' OR 1=1 --"}
