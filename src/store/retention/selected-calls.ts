import { inBatches } from '../../core/concurrency/batched-stream.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { RowWriter } from '../database/row-binary.ts'
import { from, fromAllVersions } from '../query/scope.ts'
import { moment, type Sql, sql } from '../query/sql.ts'

/** Calls that retention keeps, and lists of calls that mutations read. */

/** Every id in the documents that is part of a ref to a call, of whatever project: entity and project may be escaped. */
function refsIn(document: Sql): Sql {
  return sql`arrayJoin(extractAll(${document}, ${String.raw`weave:[^"]*?[/]call\\?/([^"/\\]+)`}))`
}

/** Ids of calls with feedback, in review queues, and in rows of datasets or other objects. */
function referencedIds(project_id: string): Sql {
  const prefix = `weave:///${project_id}/call/`
  return sql`SELECT splitByChar('/', substring(weave_ref, ${prefix.length + 1}))[1] AS id ${from(project_id, 'feedback')} AND startsWith(weave_ref, ${prefix})
UNION ALL SELECT call_id AS id ${from(project_id, 'queue_items')}
UNION ALL SELECT ${refsIn(sql`val`)} AS id ${fromAllVersions(project_id, 'table_rows')} AND position(val, 'call') > 0
UNION ALL SELECT ${refsIn(sql`val`)} AS id ${from(project_id, 'object_versions')} AND published_at >= deleted_at AND position(val, 'call') > 0`
}

/**
 * Ids of calls that started before this time and are kept: those of all traces with a call that something refers to, or
 * that has one of the tags. Without its other calls, a call with feedback would say little.
 */
export function selectKeptIds(project_id: string, before: Micros, keep_tags: readonly string[]): Sql {
  const locations = sql`SELECT started_at, id ${fromAllVersions(project_id, 'call_ids')} AND is_part = 0 AND id IN (${referencedIds(project_id)})`
  const hasTag =
    keep_tags.length === 0 ? sql`0` : sql`hasAny(CAST(field_tags, 'Array(String)'), ${keep_tags})`
  return sql`SELECT DISTINCT id ${fromAllVersions(project_id, 'calls')} AND started_at < ${moment(before)} AND trace_id IN (
  SELECT trace_id ${fromAllVersions(project_id, 'calls')} AND trace_id != '' AND ((started_at, id) IN (${locations}) OR ${hasTag}))`
}

/**
 * Stores the ids that `select` returns under the run, where mutations read them: each shard has the ids of its own calls,
 * and the first shard all ids, because feedback and queues are there.
 */
export async function selectCalls(
  db: Database,
  project_id: string,
  run_id: string,
  select: Sql,
): Promise<void> {
  if (db.shards.length === 1) await db.command(insertSelected(project_id, run_id, select), 'select calls')
  else await selectOnShards(db, project_id, run_id, select)
}

/** The selection reads tables of all shards, which a statement that inserts into the table of one shard does not see. */
async function selectOnShards(db: Database, project_id: string, run_id: string, select: Sql): Promise<void> {
  const rows = db.stream<{ id: string }>(select, { name: 'select calls', kind: 'export' })
  for await (const batch of inBatches(rows, BATCH)) {
    const writers = db.shards.map(() => new RowWriter())
    for (const { id } of batch)
      for (const shard of new Set([0, ...db.candidates(project_id, id)]))
        writers[shard]?.string(project_id).string(run_id).string(id)
    await Promise.all(
      db.shards.map((shard, index) =>
        shard.insertBinary('selected_calls', ['project_id', 'run_id', 'id'], [writers[index]!.take()], {
          onAllReplicas: true,
        }),
      ),
    )
  }
}

const BATCH = 100_000

export function insertSelected(project_id: string, run_id: string, select: Sql): Sql {
  return sql`INSERT INTO selected_calls (project_id, run_id, id) SELECT ${project_id}, ${run_id}, id FROM (${select})`
}

/** The ids that were stored under the run, as a subquery. */
export function selectedIds(project_id: string, run_id: string): Sql {
  return sql`SELECT id ${fromAllVersions(project_id, 'selected_calls')} AND run_id = ${run_id}`
}
