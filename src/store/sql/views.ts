import { createHash } from 'node:crypto'
import { LATENCY_MS, STATUS, TRACE_NAME, viewColumns } from '../calls/columns/named-fields.ts'
import { TOKEN_COLUMNS, TOTAL_TOKENS, usageTokens, USAGE } from '../calls/read/usage-tokens.ts'
import { liveVersions } from '../objects/object-versions.ts'
import { fromProjectOfQueryId } from '../query/scope.ts'
import { join, type Sql, sql, inlineText } from '../query/sql.ts'

/**
 * The views that SQL queries of callers can read. Each view shows the rows of one project, as Heddle's own reads see
 * them. They are in a separate database, the only one that the SQL user may read.
 */
export interface View {
  readonly name: string
  /** The statement that creates it. */
  readonly create: string
  /** Stored as the view's comment; a different one means that the view is outdated. */
  readonly fingerprint: string
}

/** The embedded ClickHouse grants access by this prefix (src/clickhouse/config.ts). */
export function viewsDatabase(database: string): string {
  return `sql_${database}`
}

/** In a cluster, these have rows on every shard; the others on the first. */
export const SHARDED_VIEWS: ReadonlySet<string> = new Set(['calls', 'usage'])

/** `definer` is the user whose rights the views read tables with. It cannot change settings, so no query can. */
export function projectViews(database: string, definer: string): View[] {
  return Object.entries(viewSelects(database)).map(([name, select]) => {
    const body = `DEFINER = ${definer} SQL SECURITY DEFINER AS\n${inlineText(select)}`
    const fingerprint = createHash('sha256').update(body).digest('hex').slice(0, 16)
    const create = `CREATE OR REPLACE VIEW ${viewsDatabase(database)}.${name} ${body}\nCOMMENT '${fingerprint}'`
    return { name, create, fingerprint }
  })
}

function viewSelects(database: string): Readonly<Record<string, Sql>> {
  const calls = fromProjectOfQueryId(database, 'calls')
  const feedback = fromProjectOfQueryId(database, 'feedback')
  return {
    calls: sql`SELECT id, trace_id, nullIf(parent_id, '') AS parent_id, nullIf(thread_id, '') AS thread_id,
  nullIf(turn_id, '') AS turn_id, CAST(op_name AS String) AS op_name, ${TRACE_NAME} AS name,
  nullIf(display_name, '') AS display_name, started_at, ended_at, ${LATENCY_MS} AS latency_ms, ${STATUS} AS status, exception,
  if(inputs = '', '{}', inputs) AS inputs, nullIf(output, '') AS output,
  if(attributes = '', '{}', attributes) AS attributes, if(summary = '', '{}', summary) AS summary,
  nullIf(otel_dump, '') AS otel_dump, input_refs, output_refs,
  nullIf(CAST(wb_user_id AS String), '') AS wb_user_id, nullIf(CAST(wb_run_id AS String), '') AS wb_run_id,
  wb_run_step, wb_run_step_end, ${join(viewColumns(['status', 'name']), ', ')}
${calls}`,

    usage: sql`SELECT call_id, trace_id, parent_id, op_name, started_at, model, requests,
  toInt64(prompt) AS prompt_tokens, toInt64(completion) AS completion_tokens,
  toInt64(${TOTAL_TOKENS}) AS total_tokens,
  toInt64(cache_read) AS cache_read_tokens, toInt64(cache_creation) AS cache_creation_tokens,
  toInt64(plain_prompt) AS uncached_prompt_tokens
FROM (SELECT call_id, trace_id, parent_id, op_name, started_at, model, requests, ${TOKEN_COLUMNS}
  FROM (SELECT id AS call_id, trace_id, parent_id, op_name, started_at, used.1 AS model,
      JSONExtractUInt(used.2, 'requests') AS requests, ${usageTokens(sql`used.2`)}
    FROM (SELECT id, trace_id, nullIf(parent_id, '') AS parent_id, CAST(op_name AS String) AS op_name, started_at,
        arrayJoin(${USAGE}) AS used ${calls})
    WHERE JSONType(used.2) = 'Object'))`,

    feedback: sql`SELECT id, weave_ref, nullIf(extract(weave_ref, ${CALL_REF}), '') AS call_id,
  CAST(feedback_type AS String) AS feedback_type, payload, creator, wb_user_id, created_at,
  annotation_ref, runnable_ref, call_ref, trigger_ref, scorer_tags, scorer_ratings
${feedback}`,

    objects: sql`SELECT object_id, digest, version_index, is_latest, kind, base_object_class, leaf_object_class,
  created_at, wb_user_id, size_bytes, val
FROM (${liveVersions(fromProjectOfQueryId(database, 'object_versions'))})`,

    table_rows: sql`SELECT table_digest, toUInt64(entry.2) AS row_index, entry.1 AS digest, val
FROM (SELECT digest AS table_digest, arrayJoin(arrayZip(row_digests, range(length(row_digests)))) AS entry
  ${fromProjectOfQueryId(database, 'data_tables')}) AS tables
INNER JOIN (SELECT digest, val ${fromProjectOfQueryId(database, 'table_rows')}) AS contents
ON contents.digest = entry.1`,
  }
}

/** Extracts the call id from a call ref. */
const CALL_REF = '^weave:///[^/]+/[^/]+/call/([^/]+)$'
