import { createHash } from 'node:crypto'
import { LATENCY_MS, STATUS, TRACE_NAME } from '../calls/fields.ts'
import { TOKEN_COLUMNS, tokensOfUsage, USAGE } from '../calls/usage-tokens.ts'
import { aliveVersions } from '../objects/object-versions.ts'
import { fromOfQuery } from '../query/scope.ts'
import { type Sql, sql, viewText } from '../query/sql.ts'

/**
 * What people's SQL can read: each view shows the rows of one project, as Heddle's own readers see them. They live in a
 * database of their own, which is all that the user who runs that SQL may read.
 */
export interface View {
  readonly name: string
  /** The statement that makes it. */
  readonly create: string
  /** Kept as the view's comment; another one means another version of it. */
  readonly fingerprint: string
}

/** The prefix is what the built-in engine grants (engine/config.ts). */
export function viewsDatabase(database: string): string {
  return `sql_${database}`
}

/** `definer` is the user that the views read tables as: one who can change no setting, so that no text can. */
export function projectViews(database: string, definer: string): View[] {
  return Object.entries(selects(database)).map(([name, select]) => {
    const body = `DEFINER = ${definer} SQL SECURITY DEFINER AS\n${viewText(select)}`
    const fingerprint = createHash('sha256').update(body).digest('hex').slice(0, 16)
    const create = `CREATE OR REPLACE VIEW ${viewsDatabase(database)}.${name} ${body}\nCOMMENT '${fingerprint}'`
    return { name, create, fingerprint }
  })
}

function selects(database: string): Readonly<Record<string, Sql>> {
  const calls = fromOfQuery(database, 'calls')
  const feedback = fromOfQuery(database, 'feedback')
  return {
    calls: sql`SELECT id, trace_id, nullIf(parent_id, '') AS parent_id, nullIf(thread_id, '') AS thread_id,
  nullIf(turn_id, '') AS turn_id, CAST(op_name AS String) AS op_name, ${TRACE_NAME} AS name,
  nullIf(display_name, '') AS display_name, started_at, ended_at, ${LATENCY_MS} AS latency_ms, ${STATUS} AS status, exception,
  if(inputs = '', '{}', inputs) AS inputs, nullIf(output, '') AS output,
  if(attributes = '', '{}', attributes) AS attributes, if(summary = '', '{}', summary) AS summary,
  nullIf(otel_dump, '') AS otel_dump, input_refs, output_refs,
  nullIf(CAST(wb_user_id AS String), '') AS wb_user_id, nullIf(CAST(wb_run_id AS String), '') AS wb_run_id,
  wb_run_step, wb_run_step_end
${calls}`,

    usage: sql`SELECT call_id, trace_id, parent_id, op_name, started_at, model, requests,
  toInt64(prompt) AS prompt_tokens, toInt64(completion) AS completion_tokens,
  toInt64(ifNull(total, prompt + completion)) AS total_tokens,
  toInt64(cache_read) AS cache_read_tokens, toInt64(cache_creation) AS cache_creation_tokens,
  toInt64(plain_prompt) AS uncached_prompt_tokens
FROM (SELECT call_id, trace_id, parent_id, op_name, started_at, model, requests, ${TOKEN_COLUMNS}
  FROM (SELECT id AS call_id, trace_id, parent_id, op_name, started_at, used.1 AS model,
      JSONExtractUInt(used.2, 'requests') AS requests, ${tokensOfUsage(sql`used.2`)}
    FROM (SELECT id, trace_id, nullIf(parent_id, '') AS parent_id, CAST(op_name AS String) AS op_name, started_at,
        arrayJoin(${USAGE}) AS used ${calls})
    WHERE JSONType(used.2) = 'Object'))`,

    feedback: sql`SELECT id, weave_ref, nullIf(extract(weave_ref, ${CALL_REF}), '') AS call_id,
  CAST(feedback_type AS String) AS feedback_type, payload, creator, wb_user_id, created_at,
  annotation_ref, runnable_ref, call_ref, trigger_ref, scorer_tags, scorer_ratings
${feedback}`,

    objects: sql`SELECT object_id, digest, version_index, is_latest, kind, base_object_class, leaf_object_class,
  created_at, wb_user_id, size_bytes, val
FROM (${aliveVersions(fromOfQuery(database, 'object_versions'))})`,

    table_rows: sql`SELECT table_digest, toUInt64(place.2) AS row_index, place.1 AS digest, val
FROM (SELECT digest AS table_digest, arrayJoin(arrayZip(row_digests, range(length(row_digests)))) AS place
  ${fromOfQuery(database, 'data_tables')}) AS tables
INNER JOIN (SELECT digest, val ${fromOfQuery(database, 'table_rows')}) AS contents
ON contents.digest = place.1`,
  }
}

/** The id of the call in the ref of one. */
const CALL_REF = '^weave:///[^/]+/[^/]+/call/([^/]+)$'
