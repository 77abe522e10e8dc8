-- queues list
SELECT project_id, id, name, description, scores, scorer_refs, created_by, created_at, version FROM queues FINAL WHERE project_id = {p0:String} ORDER BY created_at DESC, id
-- {"p0":"x' OR 1=1 --"}

-- queues find
SELECT project_id, id, name, description, scores, scorer_refs, created_by, created_at, version FROM queues FINAL WHERE project_id = {p0:String} AND id = {p1:String}
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- queues versions
SELECT id, max(version) AS newest, argMax(is_deleted, version) AS hidden
FROM queues WHERE project_id = {p0:String} AND id IN {p1:Array(String)} GROUP BY id
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"]}

-- queue scores
SELECT weave_ref, wb_user_id, feedback_type, payload, annotation_ref, created_at
FROM feedback FINAL WHERE project_id = {p0:String} AND weave_ref IN {p1:Array(String)} AND startsWith(feedback_type, {p2:String})
ORDER BY feedback_type, wb_user_id, created_at DESC, id DESC LIMIT 1 BY weave_ref, feedback_type, wb_user_id
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"wandb.annotation."}

-- queue items
SELECT project_id, queue_id, call_id, position, added_by, added_at, done_by, done_at, skipped_by, display_fields, version FROM queue_items FINAL WHERE project_id = {p0:String} AND queue_id = {p1:String} ORDER BY position, call_id
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- queue item
SELECT project_id, queue_id, call_id, position, added_by, added_at, done_by, done_at, skipped_by, display_fields, version FROM queue_items FINAL WHERE project_id = {p0:String} AND queue_id = {p1:String} AND call_id = {p1:String}
-- {"p0":"acme/demo","p1":"x' OR 1=1 --"}

-- queue counts
SELECT queue_id, count() AS total, countIf(done_by != '') AS done, countIf(done_by = '' AND has(skipped_by, {p0:String})) AS skipped, countIf(done_by != '' OR notEmpty(skipped_by)) AS reviewed
FROM queue_items FINAL WHERE project_id = {p1:String} GROUP BY queue_id
-- {"p0":"x' OR 1=1 --","p1":"acme/demo"}

-- queue item versions
SELECT call_id, max(version) AS newest
FROM queue_items WHERE project_id = {p0:String} AND queue_id = {p1:String} AND call_id IN {p2:Array(String)} GROUP BY call_id
-- {"p0":"acme/demo","p1":"x' OR 1=1 --","p2":["x' OR 1=1 --"]}

-- queue claims
SELECT call_id, user_id, claimed_at AS at, claimed_at + toIntervalSecond(seconds) AS until, now64(6, 'UTC') AS now
FROM queue_claims WHERE project_id = {p0:String} AND queue_id = {p1:String}
  AND claimed_at >= now64(6, 'UTC') - toIntervalSecond({p2:Int64})
ORDER BY _block_number, _block_offset
-- {"p0":"acme/demo","p1":"x' OR 1=1 --","p2":3600}
