-- object versions
SELECT * FROM (SELECT *, published_at AS created_at,
      toUInt8(is_alive AND row_number() OVER (PARTITION BY object_id
        ORDER BY is_alive DESC, recency = 1 DESC, version_index DESC) = 1) AS is_latest
    FROM (SELECT object_id, digest, created_at AS first_created_at, published_at, deleted_at, kind, base_object_class, leaf_object_class,
        substring(created_by, {p0:Int64}) AS wb_user_id,
        toUInt32(size_bytes) AS size_bytes,
        toUInt8(published_at >= deleted_at) AS is_alive,
        toUInt32(row_number() OVER (PARTITION BY object_id ORDER BY created_at, digest) - 1) AS version_index,
        row_number() OVER (PARTITION BY object_id ORDER BY published_at DESC, digest DESC) AS recency
      FROM object_versions FINAL WHERE project_id = {p1:String} AND object_id = {p2:String})) ORDER BY version_index
-- {"p0":29,"p1":"acme/demo","p2":"x' OR 1=1 --"}

-- object version: latest
SELECT * FROM (SELECT *, published_at AS created_at,
      toUInt8(is_alive AND row_number() OVER (PARTITION BY object_id
        ORDER BY is_alive DESC, recency = 1 DESC, version_index DESC) = 1) AS is_latest
    FROM (SELECT object_id, digest, created_at AS first_created_at, published_at, deleted_at, kind, base_object_class, leaf_object_class,
        substring(created_by, {p0:Int64}) AS wb_user_id,
        toUInt32(size_bytes) AS size_bytes,
        toUInt8(published_at >= deleted_at) AS is_alive,
        toUInt32(row_number() OVER (PARTITION BY object_id ORDER BY created_at, digest) - 1) AS version_index,
        row_number() OVER (PARTITION BY object_id ORDER BY published_at DESC, digest DESC) AS recency
      FROM object_versions FINAL WHERE project_id = {p1:String} AND object_id = {p2:String}))
WHERE is_latest
-- {"p0":29,"p1":"acme/demo","p2":"x' OR 1=1 --"}

-- object version: by index
SELECT * FROM (SELECT *, published_at AS created_at,
      toUInt8(is_alive AND row_number() OVER (PARTITION BY object_id
        ORDER BY is_alive DESC, recency = 1 DESC, version_index DESC) = 1) AS is_latest
    FROM (SELECT object_id, digest, created_at AS first_created_at, published_at, deleted_at, kind, base_object_class, leaf_object_class,
        substring(created_by, {p0:Int64}) AS wb_user_id,
        toUInt32(size_bytes) AS size_bytes,
        toUInt8(published_at >= deleted_at) AS is_alive,
        toUInt32(row_number() OVER (PARTITION BY object_id ORDER BY created_at, digest) - 1) AS version_index,
        row_number() OVER (PARTITION BY object_id ORDER BY published_at DESC, digest DESC) AS recency
      FROM object_versions FINAL WHERE project_id = {p1:String} AND object_id = {p2:String}))
WHERE version_index = {p3:Int64}
-- {"p0":29,"p1":"acme/demo","p2":"x' OR 1=1 --","p3":3}

-- object version: by digest
SELECT * FROM (SELECT *, published_at AS created_at,
      toUInt8(is_alive AND row_number() OVER (PARTITION BY object_id
        ORDER BY is_alive DESC, recency = 1 DESC, version_index DESC) = 1) AS is_latest
    FROM (SELECT object_id, digest, created_at AS first_created_at, published_at, deleted_at, kind, base_object_class, leaf_object_class,
        substring(created_by, {p0:Int64}) AS wb_user_id,
        toUInt32(size_bytes) AS size_bytes,
        toUInt8(published_at >= deleted_at) AS is_alive,
        toUInt32(row_number() OVER (PARTITION BY object_id ORDER BY created_at, digest) - 1) AS version_index,
        row_number() OVER (PARTITION BY object_id ORDER BY published_at DESC, digest DESC) AS recency
      FROM object_versions FINAL WHERE project_id = {p1:String} AND object_id = {p2:String}))
WHERE digest = {p2:String}
-- {"p0":29,"p1":"acme/demo","p2":"x' OR 1=1 --"}

-- object version: by alias
SELECT * FROM (SELECT *, published_at AS created_at,
      toUInt8(is_alive AND row_number() OVER (PARTITION BY object_id
        ORDER BY is_alive DESC, recency = 1 DESC, version_index DESC) = 1) AS is_latest
    FROM (SELECT object_id, digest, created_at AS first_created_at, published_at, deleted_at, kind, base_object_class, leaf_object_class,
        substring(created_by, {p0:Int64}) AS wb_user_id,
        toUInt32(size_bytes) AS size_bytes,
        toUInt8(published_at >= deleted_at) AS is_alive,
        toUInt32(row_number() OVER (PARTITION BY object_id ORDER BY created_at, digest) - 1) AS version_index,
        row_number() OVER (PARTITION BY object_id ORDER BY published_at DESC, digest DESC) AS recency
      FROM object_versions FINAL WHERE project_id = {p1:String} AND object_id = {p2:String}))
WHERE is_alive AND digest IN (SELECT digest FROM (SELECT label_row.object_id AS object_id, label_row.digest AS digest, kind, label
    FROM (SELECT object_id, digest, kind, label, created_at FROM object_labels FINAL WHERE project_id = {p1:String} AND object_id = {p2:String} AND kind = 'alias' AND label = {p2:String}) AS label_row
    INNER JOIN (SELECT object_id, digest, deleted_at FROM object_versions FINAL WHERE project_id = {p1:String}
      AND object_id IN (SELECT object_id FROM object_labels FINAL WHERE project_id = {p1:String} AND object_id = {p2:String} AND kind = 'alias' AND label = {p2:String})) AS version
    ON label_row.object_id = version.object_id AND label_row.digest = version.digest
    WHERE label_row.created_at > version.deleted_at))
-- {"p0":29,"p1":"acme/demo","p2":"x' OR 1=1 --"}
