-- dataset sources by id
SELECT project_id, dataset_object_id, row_digest, source_kind, source_id, source_trace_id, id, call_id, source_started_at, source_display_name, link_metadata, added_by, created_at, deleted_at, version FROM dataset_sources FINAL WHERE project_id = {p0:String} AND id IN {p1:Array(String)}
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"]}

-- dataset sources
SELECT project_id, dataset_object_id, row_digest, source_kind, source_id, source_trace_id, id, call_id, source_started_at, source_display_name, link_metadata, added_by, created_at, deleted_at, version FROM dataset_sources FINAL WHERE project_id = {p0:String} AND dataset_object_id = {p1:String}
ORDER BY row_digest, source_kind, source_id, source_trace_id
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- dataset sources: some
SELECT project_id, dataset_object_id, row_digest, source_kind, source_id, source_trace_id, id, call_id, source_started_at, source_display_name, link_metadata, added_by, created_at, deleted_at, version FROM dataset_sources FINAL WHERE project_id = {p0:String} AND dataset_object_id = {p1:String} AND row_digest IN {p2:Array(String)} AND source_kind IN {p3:Array(String)} AND deleted_at IS NULL
ORDER BY row_digest, source_kind, source_id, source_trace_id LIMIT {p4:Int64} OFFSET {p5:Int64}
-- {"p0":"acme/demo","p1":"x' OR 1=1 --","p2":["x' OR 1=1 --"],"p3":["call"],"p4":1,"p5":2}

-- source datasets
SELECT source_kind, source_id, source_trace_id, dataset_object_id, groupArraySorted(100)(row_digest) AS row_digests, count() AS total, min(created_at) AS first_seen_at
FROM dataset_sources FINAL WHERE project_id = {p0:String} AND source_id IN {p1:Array(String)} AND (source_kind, source_id, if(source_kind = 'call', '', source_trace_id)) IN arrayZip({p2:Array(String)}, {p1:Array(String)}, {p3:Array(String)}) AND deleted_at IS NULL
GROUP BY source_kind, source_id, source_trace_id, dataset_object_id ORDER BY source_kind, source_id, source_trace_id, dataset_object_id
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":["span"],"p3":["x' OR 1=1 --"]}
