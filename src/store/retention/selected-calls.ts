import { inBatches } from '../../core/concurrency/batched-stream.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { RowWriter } from '../database/row-binary.ts'
import {
  fromAllVersions,
  fromAllVersionsOfRows,
  fromRows,
  type ProjectTimes,
  RowsOfProjects,
} from '../query/scope.ts'
import { bound, type Sql, sql } from '../query/sql.ts'

/** Calls that retention keeps, and lists of calls that mutations read. */

/** When calls of a project are too old; undefined: never. */
export interface ProjectCutoffs {
  readonly project_id: string
  readonly callsBefore: Micros | undefined
  readonly payloadsBefore: Micros | undefined
  /** Traces with a call that has one of these tags are kept. */
  readonly keep_tags: readonly string[]
}

/** From this time on nothing happens to a call. */
export function latestCutoff(
  cutoffs: Pick<ProjectCutoffs, 'callsBefore' | 'payloadsBefore'>,
): Micros | undefined {
  return latestOf([cutoffs.callsBefore, cutoffs.payloadsBefore])
}

/** Those of the projects that have such a time. */
export function timesOf(
  cutoffs: readonly ProjectCutoffs[],
  time: (cutoffs: ProjectCutoffs) => Micros | undefined,
): ProjectTimes {
  const timed = cutoffs.flatMap((each) => {
    const micros = time(each)
    return micros === undefined ? [] : [{ project_id: each.project_id, micros }]
  })
  const project_ids = sql`${timed.map(({ project_id }) => project_id)}`
  return {
    project_ids,
    projects: project_ids,
    micros: bound(
      'Array(Int64)',
      timed.map(({ micros }) => micros),
    ),
    latest: latestOf(timed.map(({ micros }) => micros)),
  }
}

export function latestOf(times: readonly (Micros | undefined)[]): Micros | undefined {
  return times.reduce((a, b) => (b === undefined || (a !== undefined && a > b) ? a : b), undefined)
}

/** Every id in the documents that is part of a ref to a call, of whatever project: entity and project may be escaped. */
function refsIn(document: Sql): Sql {
  return sql`arrayJoin(extractAll(${document}, ${String.raw`weave:[^"]*?[/]call\\?/([^"/\\]+)`}))`
}

/** Calls with feedback, in review queues, in rows of datasets or other objects, and sources of dataset rows. */
function referencedCalls(rows: RowsOfProjects): Sql {
  const prefix = sql`concat('weave:///', project_id, '/call/')`
  return sql`SELECT project_id, splitByChar('/', substring(weave_ref, length(${prefix}) + 1))[1] AS id ${fromRows('feedback', rows)} AND startsWith(weave_ref, ${prefix})
UNION ALL SELECT project_id, call_id AS id ${fromRows('queue_items', rows)}
UNION ALL SELECT project_id, call_id AS id ${fromRows('dataset_sources', rows)} AND deleted_at IS NULL AND call_id != ''
UNION ALL SELECT project_id, ${refsIn(sql`val`)} AS id ${fromAllVersionsOfRows('table_rows', rows)} AND position(val, 'call') > 0
UNION ALL SELECT project_id, ${refsIn(sql`val`)} AS id ${fromRows('object_versions', rows)} AND published_at >= deleted_at AND position(val, 'call') > 0`
}

/**
 * Calls that are too old but are kept: those of all traces with a call that something refers to, or that has one of the
 * tags. Without its other calls, a call with feedback would say little.
 */
export function selectKeptCalls(cutoffs: readonly ProjectCutoffs[]): Sql {
  const rows = RowsOfProjects.of(cutoffs.map(({ project_id }) => project_id))
  const calls = fromAllVersionsOfRows('calls', rows)
  const locations = sql`SELECT project_id, started_at, id ${fromAllVersionsOfRows('call_ids', rows)} AND is_part = 0 AND (project_id, id) IN (${referencedCalls(rows)})`
  const referenced = sql`SELECT project_id, trace_id ${calls} AND trace_id != '' AND (project_id, started_at, id) IN (${locations})`
  const isOld = RowsOfProjects.before(timesOf(cutoffs, latestCutoff))
  return sql`SELECT DISTINCT project_id, id ${fromAllVersionsOfRows('calls', isOld)} AND (project_id, trace_id) IN (
  ${referenced}${selectConversations(rows)}${selectTagged(cutoffs)})`
}

/** Traces of conversations that are sources of dataset rows. */
function selectConversations(rows: RowsOfProjects): Sql {
  const linked = sql`SELECT project_id, source_id ${fromRows('dataset_sources', rows)} AND deleted_at IS NULL AND source_kind = 'conversation'`
  return sql`
  UNION ALL SELECT project_id, trace_id ${fromAllVersionsOfRows('calls', rows)} AND trace_id != '' AND thread_id != '' AND (project_id, thread_id) IN (${linked})`
}

function selectTagged(cutoffs: readonly ProjectCutoffs[]): Sql {
  const pairs = cutoffs.flatMap(({ project_id, keep_tags }) => keep_tags.map((tag) => ({ project_id, tag })))
  if (pairs.length === 0) return sql``
  const projects = pairs.map(({ project_id }) => project_id)
  return sql`
  UNION ALL SELECT project_id, trace_id ${fromAllVersionsOfRows('calls', RowsOfProjects.of([...new Set(projects)]))} AND trace_id != ''
  AND arrayExists(tag -> (project_id, tag) IN arrayZip(${projects}, ${pairs.map(({ tag }) => tag)}), CAST(field_tags, 'Array(String)'))`
}

/**
 * Stores the calls that `select` returns (`project_id`, `id`) in a list, where mutations read them: each shard has its own calls, and
 * the first shard all calls, because feedback and queues are there. A selection reads tables of all shards, and may name thousands of
 * projects, so it is not part of the statement that inserts.
 */
export async function selectCalls(db: Database, list: string, select: Sql): Promise<void> {
  const rows = db.stream<{ project_id: string; id: string }>(select, { name: 'select calls', kind: 'export' })
  for await (const batch of inBatches(rows, BATCH)) {
    const writers = db.shards.map(() => new RowWriter())
    for (const { project_id, id } of batch)
      for (const shard of new Set([0, ...db.candidates(project_id, id)]))
        writers[shard]?.string(project_id).string(list).string(id)
    await Promise.all(
      db.shards.map((shard, index) =>
        shard.insertBinary('selected_calls', LIST_COLUMNS, [writers[index]!.take()], {
          onAllReplicas: true,
        }),
      ),
    )
  }
}

/** Writes the last row of a list of calls to keep, by which those who read it know that it is there (`isSelected`). */
export async function endList(db: Database, list: string): Promise<void> {
  const row = new RowWriter().string('').string(list).string(list).take()
  for (const shard of db.shards)
    await shard.insertBinary('selected_calls', LIST_COLUMNS, [row], { onAllReplicas: true })
}

const LIST_COLUMNS = ['project_id', 'run_id', 'id']
const BATCH = 100_000

/** The ids of one project in the list, as a subquery. */
export function selectedIds(project_id: string, list: string): Sql {
  return sql`SELECT id ${fromAllVersions(project_id, 'selected_calls')} AND run_id = ${list}`
}
