import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../contract/api-error.ts'
import { formatTime, parseTime } from '../../core/time/time.ts'
import { countProjectRows, findProject } from '../../store/access/projects.ts'
import type { Database } from '../../store/database/database.ts'
import { withLease } from '../../store/jobs/leases.ts'
import { removeLists } from '../../store/retention/deletion-runs.ts'
import {
  countStoredCalls,
  eraseCalls,
  type ErasedCalls,
  type ErasedProject,
  findProjectsOfUser,
} from '../../store/retention/erase.ts'
import { listErasures, writeErasure } from '../../store/retention/erasures.ts'
import { reclaimTables, countReplacedParts } from '../../store/retention/reclaim.ts'
import { createAccess } from '../access/access.ts'
import { ProjectDeletions } from '../access/project-deletions.ts'
import type { Deps } from '../deps.ts'
import { RETENTION_JOB } from './retention-job.ts'

/** `heddle erase`: removes data on request, from the files on disk too, and returns a receipt. */

export type ErasureRequest =
  | { readonly kind: 'user'; readonly end_user: string; readonly project_id: string | undefined }
  | { readonly kind: 'traces'; readonly trace_ids: readonly string[]; readonly project_id: string }
  | { readonly kind: 'project'; readonly project_id: string }

/** Proof of an erasure. It names the end user by a hash only, because it outlives the data. */
export interface ErasureReceipt {
  readonly erasure_id: string
  readonly requested: {
    readonly kind: ErasureRequest['kind']
    /** Hexadecimal SHA-256 of the end user. */
    readonly end_user_sha256?: string
    readonly trace_ids?: readonly string[]
    readonly project_id?: string
  }
  readonly requested_by: string
  readonly started_at: string
  readonly finished_at: string
  readonly projects: readonly (ErasedProject | ErasedWholeProject)[]
  readonly total_calls: number
  /** Replaced parts that ClickHouse had not removed from disk yet; it does so within minutes. On all servers. */
  readonly old_parts_left: number
  /** Servers of a cluster that did not respond to that question. They remove their parts when they are back. */
  readonly servers_not_checked?: readonly string[]
}

interface ErasedWholeProject {
  readonly project_id: string
  readonly calls: number
  /** Rows removed, by table; all stored versions. */
  readonly rows: Readonly<Record<string, number>>
}

export async function erase(
  deps: Deps,
  request: ErasureRequest,
  requested_by: string,
): Promise<ErasureReceipt> {
  const { db, now, newId } = deps
  const erasure_id = newId()
  const started_at = formatTime(now())
  const projects =
    request.kind === 'project'
      ? [await eraseProject(deps, request.project_id)]
      : await eraseSelected(deps, request, erasure_id)
  const finished_at = formatTime(now())
  const { parts, serversNotChecked } = await countReplacedParts(db)
  const receipt: ErasureReceipt = {
    erasure_id,
    requested: describe(request),
    requested_by,
    started_at,
    finished_at,
    projects,
    total_calls: projects.reduce((sum, { calls }) => sum + calls, 0),
    old_parts_left: parts,
    ...(serversNotChecked.length === 0 ? {} : { servers_not_checked: serversNotChecked }),
  }
  await writeErasure(db, { erasure_id, receipt: JSON.stringify(receipt), erased_at: finished_at })
  return receipt
}

/** Receipts of erasures since `time` that may concern the project, or data that it had and lost before. */
export async function listErasuresSince(
  db: Database,
  project_id: string,
  time: string,
): Promise<ErasureReceipt[]> {
  const since = parseTime(time) ?? 0n
  return (await listErasures(db))
    .filter(({ erased_at }) => (parseTime(erased_at) ?? 0n) >= since)
    .map(({ receipt }) => JSON.parse(receipt) as ErasureReceipt)
    .filter(({ requested }) => [undefined, project_id].includes(requested.project_id))
}

function describe(request: ErasureRequest): ErasureReceipt['requested'] {
  const project = request.project_id === undefined ? {} : { project_id: request.project_id }
  switch (request.kind) {
    case 'user':
      return { kind: 'user', end_user_sha256: sha256(request.end_user), ...project }
    case 'traces':
      return { kind: 'traces', trace_ids: request.trace_ids, ...project }
    case 'project':
      return { kind: 'project', ...project }
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const LEASE_RETRY_MS = 2_000
const LEASE_WAIT_MS = 10 * 60_000

/** Under the lease of retention, so that both do not rewrite the same parts. */
async function eraseSelected(
  { db }: Deps,
  request: Exclude<ErasureRequest, { kind: 'project' }>,
  erasure_id: string,
): Promise<ErasedProject[]> {
  const calls: ErasedCalls = request.kind === 'user' ? { kind: 'user', end_user: request.end_user } : request
  const untilMs = performance.now() + LEASE_WAIT_MS
  while (performance.now() < untilMs) {
    const erased = await withLease(db, RETENTION_JOB, erasure_id, async (renew) => {
      const projects =
        request.kind === 'user' && request.project_id === undefined
          ? await findProjectsOfUser(db, request.end_user)
          : [request.project_id ?? '']
      const results: ErasedProject[] = []
      for (const project_id of projects) results.push(await eraseCalls(db, project_id, calls, renew))
      await removeLists(db, renew)
      await reclaimTables(db, renew)
      return results
    })
    if (erased !== undefined) return erased
    await sleep(LEASE_RETRY_MS)
  }
  throw new ApiError('unavailable', 'retention is running and did not end within 10 minutes; try again later')
}

/** Deletes the project as the web UI does, and then rewrites the parts that contained its rows. */
async function eraseProject(deps: Deps, project_id: string): Promise<ErasedWholeProject> {
  const { db } = deps
  if ((await findProject(db, project_id)) === undefined)
    throw new ApiError(
      'not_found',
      `there is no project ${project_id}; list projects with \`heddle projects list\``,
    )
  const rows = await countProjectRows(db, project_id)
  const calls = await countStoredCalls(db, project_id)
  await new ProjectDeletions(deps, createAccess(deps), () => {}).run(project_id)
  await reclaimTables(db, async () => {})
  return { project_id, calls, rows }
}
