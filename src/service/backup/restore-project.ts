import type { BackupManifest } from '../../core/backup/manifest.ts'
import { RecordClock } from '../../core/calls/record-clock.ts'
import { unknownProject } from '../../core/text/unknown-project.ts'
import { laterTime } from '../../core/time/time.ts'
import {
  findProject,
  findProjectStates,
  listProjects,
  type ProjectRow,
  writeProjects,
} from '../../store/access/projects.ts'
import {
  COPIED_TABLES,
  copyRows,
  countOtherRows,
  countRestoredRows,
  listChangedCalls,
} from '../../store/backup/project-rows.ts'
import { synchronizeClock } from '../../store/calls/write/clock-sync.ts'
import { RECONCILE_BATCH } from '../../store/calls/write/unreconciled.ts'
import type { WriteContext } from '../../store/calls/write/write-context.ts'
import { copyCalls } from '../../store/cluster/move-calls.ts'
import { chooseShardServers } from '../../store/cluster/shard-servers.ts'
import { Database } from '../../store/database/database.ts'
import type { TenantTable } from '../../store/query/scope.ts'
import type { Deps } from '../deps.ts'
import type { BackupTarget } from './backup-target.ts'
import { listLostAccess, type LostAccess } from './lost-access.ts'
import { dropOnEveryServer, dropScratchDatabases, scratchName } from './replace-database.ts'
import { restoreBackup, type RestoreOptions } from './restore-backup.ts'

/**
 * Restores one project: the backup is restored to a scratch database beside the one of the servers, which may run, and the
 * rows of the project are copied (docs/decisions/0018-backups.md). It can be interrupted and repeated.
 */

export interface ProjectRestoreOptions extends RestoreOptions {
  readonly project_id: string
  /** Adds to what the project has; otherwise it may have nothing that the backup lacks. */
  readonly merges: boolean
}

export interface RestoredProject extends LostAccess {
  /** Rows of the project in the backup, by table. */
  readonly rows: Readonly<Partial<Record<TenantTable, number>>>
  /** Calls that the project has with other records, too. The last acknowledged ones win. */
  readonly changed_calls: number
}

/** The database of a shard's server, that of the backup on the same server, and the shard as calls are written to it. */
interface Shard {
  readonly server: Database
  readonly restored: Database
  readonly target: Database
}

export async function restoreProject(
  deps: Deps,
  target: BackupTarget,
  chain: readonly BackupManifest[],
  options: ProjectRestoreOptions,
): Promise<RestoredProject> {
  const { db } = deps
  const { project_id } = options
  const [manifest] = chain
  if (manifest === undefined) throw new Error('there is no backup')
  if (isBeingDeleted(await findProject(db, project_id)))
    throw new Error(`the project ${project_id} is being deleted; repeat the restore in some minutes`)
  await dropScratchDatabases(db)
  const scratch = scratchName(db.name, manifest.id)
  const opened: Database[] = []
  try {
    await restoreBackup(db, target, chain, scratch, options)
    const servers = await chooseShardServers(db)
    const shards = servers.map((server, i) => {
      const restored = new Database({ ...server.settings, database: scratch })
      opened.push(restored)
      return { server, restored, target: db.shards[i] ?? server }
    })
    return await copyProject(deps, manifest.id, shards, options)
  } finally {
    for (const database of opened) await database.close()
    await dropOnEveryServer(db, scratch)
  }
}

function isBeingDeleted(row: ProjectRow | undefined): boolean {
  return row !== undefined && row.deletion_started_at !== null
}

async function copyProject(
  deps: Deps,
  id: string,
  shards: readonly Shard[],
  options: ProjectRestoreOptions,
): Promise<RestoredProject> {
  const { db } = deps
  const { project_id, merges, progress } = options
  const [first] = shards
  if (first === undefined) throw new Error('there is no shard')
  const stored = await findProject(first.restored, project_id)
  if (stored === undefined) {
    const known = (await listProjects(first.restored)).map((row) => row.project_id)
    throw new Error(`in backup ${id} ${unknownProject(project_id, known)}`)
  }
  if (isBeingDeleted(stored))
    throw new Error(
      `the project ${project_id} was being deleted when backup ${id} was made; use an older one`,
    )
  if (!merges) await requireNothingElse(shards, id, project_id)
  await recordProject(deps, stored)
  const clock = new RecordClock()
  await synchronizeClock(db, clock)
  const context = { clock, columns: options.columns }
  const rows: Partial<Record<TenantTable, number>> = {}
  let changed_calls = 0
  progress.setTotal('copy', shards.length * COPIED_TABLES.length)
  for (const [i, shard] of shards.entries()) {
    const joined = new Set<string>()
    for (const [j, table] of COPIED_TABLES.entries()) {
      if (options.signal?.aborted === true) throw new Error('cancelled')
      const count = await countRestoredRows(shard.server, shard.restored.name, project_id, table)
      if (count > 0) rows[table] = (rows[table] ?? 0) + count
      // First, so that their rows here have all facts, and no row of the backup takes their place.
      if (table === 'calls') await joinChangedCalls(shard, context, project_id, joined)
      if (count > 0) await copyRows(shard.server, shard.restored.name, project_id, table)
      // Again, for records that were stored during the copy.
      if (table === 'calls') await joinChangedCalls(shard, context, project_id, joined)
      progress.update('copy', i * COPIED_TABLES.length + j + 1)
    }
    changed_calls += joined.size
  }
  return { rows, changed_calls, ...(await listLostAccess(db, first.restored, project_id)) }
}

async function requireNothingElse(shards: readonly Shard[], id: string, project_id: string): Promise<void> {
  const found: string[] = []
  for (const table of COPIED_TABLES) {
    // A policy may be set before the restore, so that it deletes nothing; the later one applies.
    if (table === 'retention_policies') continue
    let count = 0
    for (const { server, restored } of shards)
      count += await countOtherRows(server, restored.name, project_id, table)
    if (count > 0) found.push(`${table}: ${count}`)
  }
  if (found.length === 0) return
  throw new Error(
    `the project ${project_id} has rows that backup ${id} does not have (${found.join(', ')}); repeat with --merge to keep them and add what is missing, or restore the backup beside the database with --into`,
  )
}

/** The first write to a project creates its row; a restored one keeps its creator, its time and its display name. */
async function recordProject({ db, now }: Deps, stored: ProjectRow): Promise<void> {
  const { project_id } = stored
  const [state] = await findProjectStates(db, [project_id])
  const current = await findProject(db, project_id)
  await writeProjects(db, [
    {
      ...stored,
      display_name:
        current === undefined || current.display_name === '' ? stored.display_name : current.display_name,
      changed_at: laterTime(now(), state?.changed_at ?? ''),
      is_deleted: 0,
    },
  ])
}

/** Joins the records of calls that both databases have; those in `joined` were joined before. */
async function joinChangedCalls(
  { server, restored, target }: Shard,
  context: WriteContext,
  project_id: string,
  joined: Set<string>,
): Promise<void> {
  const changed = await listChangedCalls(server, restored.name, project_id)
  const ids = changed.filter((id) => !joined.has(id))
  for (let i = 0; i < ids.length; i += RECONCILE_BATCH) {
    const keys = ids.slice(i, i + RECONCILE_BATCH).map((id) => ({ project_id, id }))
    await copyCalls(restored, target, context, keys)
  }
  for (const id of ids) joined.add(id)
}
