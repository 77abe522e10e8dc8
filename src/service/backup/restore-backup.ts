import {
  type BackupManifest,
  type BackupShard,
  backupShards,
  storedTables,
  totalRows,
} from '../../core/backup/manifest.ts'
import { RecordClock } from '../../core/calls/record-clock.ts'
import type { Topology } from '../../core/cluster/topology.ts'
import { parseTime } from '../../core/time/time.ts'
import { startRestore } from '../../store/backup/backup-statements.ts'
import {
  checkPart,
  listParts,
  rebuildDerivedTable,
  setMerges,
  truncateTable,
  truncateTables,
} from '../../store/backup/restored-database.ts'
import type { ColumnExtractor } from '../../store/calls/columns/column-extractor.ts'
import { readClock, synchronizeClock } from '../../store/calls/write/clock-sync.ts'
import { recordSweep } from '../../store/calls/write/sweeper.ts'
import { reconcileWritten } from '../../store/calls/write/unreconciled.ts'
import { isCluster } from '../../store/cluster/cluster-database.ts'
import { createShardTable } from '../../store/cluster/record-shards.ts'
import { chooseShardServers } from '../../store/cluster/shard-servers.ts'
import { CALLS_SWEEP } from '../../store/cluster/sweepers.ts'
import { createDatabase } from '../../store/database/create-database.ts'
import { Database } from '../../store/database/database.ts'
import { isPreRelease, migrate, type Migration, PRE_RELEASE } from '../../store/database/migrations.ts'
import type { BackupProgress, BackupTarget } from './backup-target.ts'
import { openChain } from './chain-source.ts'
import { runOnShards } from './shards.ts'
import { waitForBackup } from './wait.ts'

export interface RestoreOptions {
  /** Migrations of this version of Heddle. */
  readonly migrations: readonly Migration[]
  /** For calls whose rows are written again. */
  readonly columns: ColumnExtractor
  readonly progress: BackupProgress
  readonly signal?: AbortSignal
}

export interface RestoredDatabase {
  readonly database: string
  readonly tables: number
  readonly rows: number
  readonly migrations: readonly string[]
  /** Calls whose records were written while the backup ran. */
  readonly reconciled: number
}

/** A restore refuses what it could not migrate, before it does anything. */
export function checkSchema(
  { id, schema, heddle_version }: BackupManifest,
  migrations: readonly Migration[],
): void {
  if (isPreRelease(schema, migrations))
    throw new Error(`backup ${id} ${PRE_RELEASE.fact}: ${PRE_RELEASE.remedy}`)
  const known = new Map(migrations.map(({ version, checksum }) => [version, checksum]))
  const unknown = schema.find(({ version, checksum }) => known.get(version) !== checksum)
  if (unknown !== undefined)
    throw new Error(
      `backup ${id} has schema version ${Math.max(...schema.map(({ version }) => version))} of Heddle ${heddle_version}, which this Heddle does not know: run that version or a newer one`,
    )
}

/** A cluster finds calls by their shard, so a restore needs as many, added in the same order. */
function checkShards(manifest: BackupManifest, topology: Topology | undefined): void {
  const shards = topology?.shards ?? [{ generation: 1 }]
  const stored = backupShards(manifest)
  if (stored.length !== shards.length)
    throw new Error(
      `backup ${manifest.id} is of ${plural(stored.length, 'shard')}, and ${topology === undefined ? 'this is a single server' : `the cluster has ${plural(shards.length, 'shard')}`}; a restore needs the same number of shards: ${stored.length === 1 ? 'unset HEDDLE_CLUSTER, or name one shard in it' : `set HEDDLE_CLUSTER to a file with ${stored.length} shards`}`,
    )
  const generations = (of: readonly { readonly generation: number }[]): string =>
    of.map(({ generation }) => generation).join(', ')
  if (generations(stored) !== generations(shards))
    throw new Error(
      `the shards of backup ${manifest.id} are of the generations ${generations(stored)}, those of the cluster of ${generations(shards)}; write the generations of the backup into the file of HEDDLE_CLUSTER, otherwise calls are not found`,
    )
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/**
 * Restores the first backup of `chain`, which builds on the others, into a new database on every shard, checks it and
 * brings it up to date. `server` is connected to another database of the same ClickHouse. The new tables are not replicated.
 */
export async function restoreBackup(
  server: Database,
  target: BackupTarget,
  chain: readonly BackupManifest[],
  into: string,
  options: RestoreOptions,
): Promise<RestoredDatabase> {
  const manifest = chain[0] as BackupManifest
  const topology = isCluster(server) ? server.cluster.topology : undefined
  checkSchema(manifest, options.migrations)
  checkShards(manifest, topology)
  const servers = await chooseShardServers(server)
  // The definition of a replicated table names its path in Keeper, where the present table of the cluster is.
  const isReplicated =
    topology?.replication !== undefined || (manifest.format === 2 && manifest.is_replicated)
  const shards = await runOnShards(servers, options, (each, index, step) =>
    restoreShard(each, target, chain, index, into, isReplicated, { ...options, ...step }),
  )
  return {
    database: into,
    tables: storedTables(manifest).length,
    rows: totalRows(manifest),
    migrations: shards[0]?.migrations ?? [],
    reconciled: shards.reduce((sum, { reconciled }) => sum + reconciled, 0),
  }
}

async function restoreShard(
  server: Database,
  target: BackupTarget,
  chain: readonly BackupManifest[],
  index: number,
  into: string,
  isReplicated: boolean,
  { migrations, columns, progress, signal }: RestoreOptions,
): Promise<Pick<RestoredDatabase, 'migrations' | 'reconciled'>> {
  const manifest = chain[0] as BackupManifest
  const shard = backupShards(manifest)[index] as BackupShard
  const source = await openChain(target, chain, index)
  try {
    const restore = {
      id: `restore-${manifest.id}-${index + 1}-${Date.now()}`,
      database: manifest.database,
      into,
      destination: source.destination,
      base: source.base,
    }
    if (isReplicated) await createPlainTables(server, into, manifest, migrations)
    else {
      await startRestore(server, { ...restore, id: `${restore.id}-structure`, part: 'structure' })
      await waitForBackup(server, `${restore.id}-structure`, () => {}, signal)
    }
    await setMerges(server, into, 'STOP')
    await startRestore(server, { ...restore, part: 'data', allowsOtherDefinition: isReplicated })
    await waitForBackup(
      server,
      restore.id,
      ({ num_files, files_read }) => {
        progress.setTotal('restore', num_files)
        progress.update('restore', files_read)
      },
      signal,
    )
  } finally {
    await source.close()
  }
  await checkRestored(server, manifest.id, shard, into, progress)
  await setMerges(server, into, 'START')

  const db = new Database({ ...server.settings, database: into })
  try {
    const applied = await migrate(db, migrations)
    const reconciled = await repair(db, columns, manifest)
    return { migrations: applied, reconciled }
  } finally {
    await db.close()
  }
}

/** The empty tables of the schema that the backup has, with the engines of a single server. */
async function createPlainTables(
  server: Database,
  database: string,
  { schema }: BackupManifest,
  migrations: readonly Migration[],
): Promise<void> {
  const settings = { ...server.settings, database }
  await createDatabase(settings)
  const db = new Database(settings)
  try {
    const versions = new Set(schema.map(({ version }) => version))
    await migrate(
      db,
      migrations.filter(({ version }) => versions.has(version)),
    )
    await createShardTable(db)
    await truncateTables(db)
  } finally {
    await db.close()
  }
}

/** Every part must be there with its rows, and intact. */
async function checkRestored(
  server: Database,
  id: string,
  { tables }: BackupShard,
  into: string,
  progress: BackupProgress,
): Promise<void> {
  const parts = await listParts(server, into)
  for (const { name, rows } of tables) {
    const restored = parts.filter(({ table }) => table === name).reduce((sum, part) => sum + part.rows, 0)
    if (restored !== rows)
      throw new Error(`the table ${name} of backup ${id} has ${rows} rows, but ${restored} were restored`)
  }
  progress.setTotal('check', parts.length)
  for (const [i, part] of parts.entries()) {
    const problem = await checkPart(server, into, part)
    if (problem !== undefined)
      throw new Error(
        `the part ${part.name} of the table ${part.table} in backup ${id} is damaged: ${problem}`,
      )
    progress.update('check', i + 1)
  }
}

/** Inserts that were running when the backup began may have begun this much earlier. */
const MARGIN_MICROS = 20n * 60_000_000n

/**
 * Repairs what was being written while ClickHouse copied one table after the other: ids of calls are derived anew, and
 * calls whose writer had not made its conflict check are reconciled. Positions in `live_log` do not survive a restore.
 */
async function repair(
  db: Database,
  columns: ColumnExtractor,
  { started_at, created_at }: BackupManifest,
): Promise<number> {
  await rebuildDerivedTable(db, 'call_ids')
  await truncateTable(db, 'live_log')
  const clock = new RecordClock()
  await synchronizeClock(db, clock)
  const from = (parseTime(started_at) ?? 0n) - MARGIN_MICROS
  const reconciled = await reconcileWritten(db, { clock, columns }, { from, to: parseTime(created_at) ?? 0n })
  // Its rows were written by this restore, and no client has seen their positions.
  await truncateTable(db, 'live_log')
  // Otherwise the first sweep would log the calls again that the backup has since its last one.
  await recordSweep(db, CALLS_SWEEP, (await readClock(db)) ?? 0n)
  return reconciled
}
