-- projects of end user
SELECT DISTINCT project_id FROM calls WHERE field_end_user = {p0:String} ORDER BY project_id
-- {"p0":"x' OR 1=1 --"}

-- select calls: of a user
SELECT DISTINCT project_id, id FROM calls WHERE project_id = {p0:String} AND trace_id IN (SELECT trace_id FROM calls WHERE project_id = {p0:String} AND field_end_user = {p0:String} AND trace_id != '')
-- {"p0":"x' OR 1=1 --"}

-- select calls: of traces
SELECT DISTINCT project_id, id FROM calls WHERE project_id = {p0:String} AND trace_id IN {p1:Array(String)}
-- {"p0":"x' OR 1=1 --","p1":["x' OR 1=1 --"]}

-- select calls: with the user
SELECT DISTINCT project_id, id FROM calls WHERE project_id = {p0:String} AND field_end_user = {p0:String} AND id IN (SELECT id FROM selected_calls WHERE project_id = {p0:String} AND run_id = {p1:String})
-- {"p0":"x' OR 1=1 --","p1":"run-1"}

-- erase: deleted calls
SELECT 1 FROM calls WHERE project_id = {p0:String} AND 1 LIMIT 1
-- {"p0":"x' OR 1=1 --"}

-- erase
SELECT count() AS n FROM calls WHERE project_id = {p0:String} AND id IN (SELECT id FROM selected_calls WHERE project_id = {p0:String} AND run_id = {p1:String})
-- {"p0":"x' OR 1=1 --","p1":"run-1"}

-- erase: calls of a project
SELECT uniqExact(id) AS n FROM calls WHERE project_id = {p0:String}
-- {"p0":"x' OR 1=1 --"}

-- erase: refs in tables
SELECT count() AS n FROM table_rows WHERE project_id = {p0:String} AND position(val, 'call') > 0
  AND hasAny(extractAll(val, {p1:String}), (SELECT groupArray(id) FROM (SELECT id FROM selected_calls WHERE project_id = {p0:String} AND run_id = {p2:String})))
-- {"p0":"x' OR 1=1 --","p1":"weave:[^\"]*?[/]call\\\\?/([^\"/\\\\]+)","p2":"run-1"}

-- erasures
SELECT erasure_id, receipt, erased_at FROM erasures FINAL ORDER BY erased_at DESC
-- {}
