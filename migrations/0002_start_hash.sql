-- The last acknowledged record of a call wins (docs/decisions/0002-one-row-per-call.md).

-- A hash of the start. Only rows of equal starts may replace each other in a merge: of these, the one with the latest end
-- includes the others. `origin` had this purpose before; rows written since then have origin 0.
ALTER TABLE calls ADD COLUMN IF NOT EXISTS start_hash UInt32 AFTER origin,
    MODIFY ORDER BY (project_id, started_at, id, origin, start_hash);

ALTER TABLE call_ids ADD COLUMN IF NOT EXISTS start_hash UInt32 AFTER origin,
    MODIFY ORDER BY (project_id, id, is_part, started_at, origin, version, start_hash);

ALTER TABLE call_ids_from_calls MODIFY QUERY
SELECT project_id, id, 0 AS is_part, started_at, origin, start_hash, version FROM calls;

-- The starts in call_parts with the location of their rows, so that these can be hidden before ClickHouse has stored them.
-- A start begins with its time, and its hash is in the bits 20 to 51 of its version.
ALTER TABLE call_ids_from_parts MODIFY QUERY
SELECT project_id, id, 1 AS is_part, fact = 'start' AND body != '' AS is_start,
    fromUnixTimestamp64Micro(if(is_start, reinterpretAsInt64(substring(body, 1, 8)), 0), 'UTC') AS started_at, 0 AS origin,
    if(is_start, toUInt32(bitAnd(bitShiftRight(version, 20), 4294967295)), 0) AS start_hash, version
FROM call_parts;

-- The low 53 bits of a version identify the content of a record, without the time when it was received: a resend is not
-- an event.
ALTER TABLE live_log_from_calls MODIFY QUERY
SELECT project_id, id, 'call' AS record_type, is_deleted, version,
    sipHash64(bitAnd(start_version, 9007199254740991), bitAnd(end_version, 9007199254740991),
        bitAnd(name_version, 9007199254740991)) AS content_hash,
    trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at, isNotNull(exception) AS has_exception,
    wb_user_id, now64(6) AS logged_at
FROM calls
WHERE is_deleted = 0 OR bitShiftRight(version, 112) = 65535;
