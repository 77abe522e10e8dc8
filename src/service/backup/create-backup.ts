import { randomBytes } from 'node:crypto'
import { findLatestRestorable, readChain } from '../../core/backup/catalog.ts'
import { parseFileList } from '../../core/backup/file-list.ts'
import {
  type BackupDescription,
  type BackupManifest,
  type BackupShard,
  backupShards,
  type BackupTable,
  newBackupId,
  serializeManifest,
  shardPath,
} from '../../core/backup/manifest.ts'
import type { Topology } from '../../core/cluster/topology.ts'
import {
  type BackupDestination,
  destinationText,
  readServerInfo,
  startBackup,
  syncReplica,
} from '../../store/backup/backup-statements.ts'
import { isCluster } from '../../store/cluster/cluster-database.ts'
import { chooseShardServers } from '../../store/cluster/shard-servers.ts'
import type { Database } from '../../store/database/database.ts'
import { readApplied } from '../../store/database/migrations.ts'
import type { BackupProgress, BackupTarget } from './backup-target.ts'
import { manifestPath, markPath, readCatalog } from './catalog.ts'
import { findBaseProblem } from './chain-source.ts'
import { hashFiles } from './hash-files.ts'
import { runOnShards } from './shards.ts'
import { waitForBackup } from './wait.ts'

export interface CreateBackupOptions {
  readonly isFull: boolean
  readonly heddleVersion: string
  readonly progress: BackupProgress
  readonly signal?: AbortSignal
}

/**
 * Backs up the whole database while it is in use. One ClickHouse server of each shard copies the parts that the base of
 * the shard does not have; then every file is read back, and the manifest is written as the last step. See
 * docs/decisions/0018-backups.md.
 */
export async function createBackup(
  db: Database,
  target: BackupTarget,
  { isFull, heddleVersion, progress, signal }: CreateBackupOptions,
): Promise<BackupManifest> {
  const servers = await chooseShardServers(db)
  const topology = isCluster(db) ? db.cluster.topology : undefined
  const directories = topology?.shards.map(({ number }) => `shard-${number}`) ?? ['']
  const base = isFull ? undefined : await findBase(target, topology, progress)
  const schema = await readCommonSchema(servers)
  const infos = await Promise.all(servers.map(readServerInfo))
  const version = [...new Set(infos.map((info) => info.version))].join(', ')
  // Clocks of servers differ: the earliest beginning and the latest end cover all of them.
  const started_at = infos.map(({ now }) => now).toSorted()[0] ?? ''
  requireReadablePath(target)
  const id = newBackupId(new Date(started_at), randomBytes(2).toString('hex'))
  const base_id = base?.id ?? null
  await target.writeText(markPath(id), `${JSON.stringify({ id, base_id, started_at })}\n`)
  const pathOf = (backup: string, index: number): string =>
    shardPath(backup, { directory: directories[index] ?? '' })
  await runOnShards(servers, { progress, signal }, async (server, index, step) => {
    const destination = target.destination(pathOf(id, index))
    const statement = topology === undefined ? id : `${id}-${directories[index]}`
    try {
      if (topology?.replication !== undefined) await syncReplica(server)
      await startBackup(server, {
        id: statement,
        database: server.name,
        destination,
        base: base && target.destination(pathOf(base.id, index)),
      })
      await waitForBackup(
        server,
        statement,
        ({ num_files }) => step.progress.update('backup', num_files),
        step.signal,
      )
    } catch (error) {
      throw explainRefusal(error, destination)
    }
  })
  const files = await hashFiles(target, id, directories, progress, signal)
  const shards: BackupShard[] = []
  for (const [index, directory] of directories.entries()) {
    const contents = await readContents(target, pathOf(id, index), base && backupShards(base)[index])
    const generation = topology?.shards[index]?.generation ?? 1
    shards.push({ directory, generation, files: files[index] ?? [], ...contents })
  }
  const ends = await Promise.all(servers.map(readServerInfo))
  const common = {
    id,
    base_id,
    started_at,
    created_at:
      ends
        .map(({ now }) => now)
        .toSorted()
        .at(-1) ?? '',
    heddle_version: heddleVersion,
    clickhouse_version: version,
    database: db.name,
    schema,
  }
  const manifest = describeBackup(common, shards, topology)
  await target.writeText(manifestPath(id), serializeManifest(manifest))
  await target.remove(markPath(id))
  return manifest
}

function describeBackup(
  common: BackupDescription,
  shards: readonly BackupShard[],
  topology: Topology | undefined,
): BackupManifest {
  if (topology !== undefined)
    return { format: 2, ...common, is_replicated: topology.replication !== undefined, shards: [...shards] }
  const [{ files, tables, row_counts }] = shards as [BackupShard]
  return { format: 1, ...common, files, tables, row_counts }
}

/**
 * A server of a shard continues what a server of the same shard has written. ClickHouse does not notice that it continues
 * a chain whose files are gone.
 */
async function findBase(
  target: BackupTarget,
  topology: Topology | undefined,
  progress: BackupProgress,
): Promise<BackupManifest | undefined> {
  const catalog = await readCatalog(target)
  const latest = findLatestRestorable(catalog)
  const isSameCluster =
    latest !== undefined &&
    (topology === undefined
      ? latest.format === 1
      : latest.format === 2 && latest.shards.length === topology.shards.length)
  if (!isSameCluster) return undefined
  const problem = await findBaseProblem(target, readChain(catalog, latest.id))
  if (problem === undefined) return latest
  progress.message(
    `backup ${latest.id} cannot be restored, so this one is full: ${problem}; \`heddle backups verify ${latest.id}\` shows everything that is wrong`,
  )
  return undefined
}

/** Applied migrations, which must be the same on all shards: a restore brings them all to one version. */
async function readCommonSchema(servers: readonly Database[]): Promise<BackupManifest['schema']> {
  const [first = [], ...others] = await Promise.all(servers.map(readApplied))
  const versions = (schema: typeof first): string => schema.map(({ version }) => version).join()
  for (const [index, other] of others.entries())
    if (versions(other) !== versions(first))
      throw new Error(
        `shard 1 and shard ${index + 2} have different migrations; run \`heddle migrate\` first (\`heddle migrate --plan\` shows what is missing where)`,
      )
  return first
}

/** ClickHouse writes the path of the base into XML as it is, and then cannot read it. */
function requireReadablePath(target: BackupTarget): void {
  const text = destinationText(target.destination(''))
  if (/[<&]/.test(text))
    throw new Error(
      `ClickHouse cannot build on backups whose path contains & or <: ${text}; rename the directory`,
    )
}

/** Tables with rows, from ClickHouse's list of files: the database itself has changed since. */
async function readContents(
  target: BackupTarget,
  path: string,
  base: BackupShard | undefined,
): Promise<Pick<BackupShard, 'tables' | 'row_counts'>> {
  const { countFiles, bytes } = parseFileList((await target.readText(`${path}/.backup`)) ?? '')
  const row_counts: Record<string, number> = {}
  const tables = new Map<string, BackupTable>()
  for (const { table, checksum, path: stored } of countFiles) {
    const rows =
      row_counts[checksum] ??
      (stored === undefined ? base?.row_counts[checksum] : Number(await target.readText(`${path}/${stored}`)))
    if (rows === undefined || !Number.isSafeInteger(rows))
      throw new Error(`backup ${path} has no row count for a part of ${table}; run \`heddle backup --full\``)
    row_counts[checksum] = rows
    const known = tables.get(table) ?? { name: table, rows: 0, parts: 0, bytes: bytes.get(table) ?? 0 }
    tables.set(table, { ...known, rows: known.rows + rows, parts: known.parts + 1 })
  }
  return { tables: [...tables.values()], row_counts }
}

/** ClickHouse writes only to what its configuration names. */
function explainRefusal(error: unknown, destination: BackupDestination): unknown {
  if (!(error instanceof Error) || !/allowed_(disk|path)|UNKNOWN_DISK/i.test(error.message)) return error
  const remedy =
    destination.type === 'disk'
      ? `ClickHouse has no disk "${destination.disk}" for backups: restart the server with the same HEDDLE_BACKUP_TARGET, or, for an external ClickHouse, configure the disk (docs/deploy/backup.md)`
      : `ClickHouse may not write to ${destination.path}: allow the directory in its configuration (docs/deploy/backup.md)`
  return new Error(`${remedy} (${error.message.split('\n')[0]})`, { cause: error })
}
