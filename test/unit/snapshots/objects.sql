-- objects query: everything
SELECT * FROM (SELECT *, published_at AS created_at,
      toUInt8(is_alive AND row_number() OVER (PARTITION BY object_id
        ORDER BY is_alive DESC, recency = 1 DESC, version_index DESC) = 1) AS is_latest
    FROM (SELECT object_id, digest, created_at AS first_created_at, published_at, deleted_at, kind, base_object_class, leaf_object_class,
        substring(created_by, {p0:Int64}) AS wb_user_id,
        toUInt32(size_bytes) AS size_bytes,
        toUInt8(published_at >= deleted_at) AS is_alive,
        toUInt32(row_number() OVER (PARTITION BY object_id ORDER BY created_at, digest) - 1) AS version_index,
        row_number() OVER (PARTITION BY object_id ORDER BY published_at DESC, digest DESC) AS recency
      FROM object_versions FINAL WHERE project_id = {p1:String} AND 1))
    WHERE is_alive AND 1
    ORDER BY created_at, object_id, digest
-- {"p0":29,"p1":"acme/demo"}

-- objects query: filter, sort and page
SELECT * FROM (SELECT *, published_at AS created_at,
      toUInt8(is_alive AND row_number() OVER (PARTITION BY object_id
        ORDER BY is_alive DESC, recency = 1 DESC, version_index DESC) = 1) AS is_latest
    FROM (SELECT object_id, digest, created_at AS first_created_at, published_at, deleted_at, kind, base_object_class, leaf_object_class,
        substring(created_by, {p0:Int64}) AS wb_user_id,
        toUInt32(size_bytes) AS size_bytes,
        toUInt8(published_at >= deleted_at) AS is_alive,
        toUInt32(row_number() OVER (PARTITION BY object_id ORDER BY created_at, digest) - 1) AS version_index,
        row_number() OVER (PARTITION BY object_id ORDER BY published_at DESC, digest DESC) AS recency
      FROM object_versions FINAL WHERE project_id = {p1:String} AND object_id IN {p2:Array(String)}))
    WHERE is_alive AND (base_object_class IN {p2:Array(String)}) AND (base_object_class NOT IN {p2:Array(String)}) AND (leaf_object_class IN {p2:Array(String)}) AND (kind != 'op') AND (is_latest) AND ((object_id, digest) IN (SELECT object_id, digest FROM (SELECT label_row.object_id AS object_id, label_row.digest AS digest, kind, label
    FROM (SELECT object_id, digest, kind, label, created_at FROM object_labels FINAL WHERE project_id = {p1:String} AND kind = 'tag' AND label IN {p2:Array(String)}) AS label_row
    INNER JOIN (SELECT object_id, digest, deleted_at FROM object_versions FINAL WHERE project_id = {p1:String}
      AND object_id IN (SELECT object_id FROM object_labels FINAL WHERE project_id = {p1:String} AND kind = 'tag' AND label IN {p2:Array(String)})) AS version
    ON label_row.object_id = version.object_id AND label_row.digest = version.digest
    WHERE label_row.created_at > version.deleted_at))) AND (is_latest OR (object_id, digest) IN (SELECT object_id, digest FROM (SELECT label_row.object_id AS object_id, label_row.digest AS digest, kind, label
    FROM (SELECT object_id, digest, kind, label, created_at FROM object_labels FINAL WHERE project_id = {p1:String} AND kind = 'alias' AND label IN {p3:Array(String)}) AS label_row
    INNER JOIN (SELECT object_id, digest, deleted_at FROM object_versions FINAL WHERE project_id = {p1:String}
      AND object_id IN (SELECT object_id FROM object_labels FINAL WHERE project_id = {p1:String} AND kind = 'alias' AND label IN {p3:Array(String)})) AS version
    ON label_row.object_id = version.object_id AND label_row.digest = version.digest
    WHERE label_row.created_at > version.deleted_at)))
    ORDER BY object_id desc, created_at, object_id, digest LIMIT {p4:Int64} OFFSET {p5:Int64}
-- {"p0":29,"p1":"acme/demo","p2":["x' OR 1=1 --"],"p3":["latest","x' OR 1=1 --"],"p4":10,"p5":5}
