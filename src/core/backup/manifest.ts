import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The manifest of a backup: what it contains, with a checksum of every file. Written last, so that its presence means complete. */
const table = z.object({
  name: z.string(),
  /** Stored rows, including versions that ClickHouse has not merged yet. */
  rows: z.number(),
  /** Compressed size of all parts, also of those that are stored in an earlier backup of the chain. */
  bytes: z.number(),
  parts: z.number(),
})

const file = z.object({
  /** Within the directory of the backup. */
  path: z.string(),
  size: z.number(),
  sha256: z.string(),
})

const migration = z.object({ version: z.number(), checksum: z.string() })

/** What one server has written. */
const contents = {
  tables: z.array(table),
  /** The files of this backup, without those of its base. */
  files: z.array(file),
  /** Rows of each part, by the checksum that ClickHouse's list of files has for its `count.txt`. */
  row_counts: z.record(z.string(), z.number()),
}

const shard = z.object({
  /** Within the directory of the backup; empty for the backup of a single server. */
  directory: z.string(),
  /** As in the topology of the cluster: calls are found by the number and the generation of their shard. */
  generation: z.number(),
  ...contents,
})

const description = z.object({
  id: z.string(),
  /** The backup that this one continues; null for a full one. */
  base_id: z.string().nullable(),
  /** ClickHouse's clock before the backup began: every write acknowledged by then is included. */
  started_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
  heddle_version: z.string(),
  clickhouse_version: z.string(),
  database: z.string(),
  /** Applied migrations. */
  schema: z.array(migration),
})

const manifest = z.discriminatedUnion('format', [
  /** A single server. */
  z.object({ format: z.literal(1), ...description.shape, ...contents }),
  /** A cluster. */
  z.object({
    format: z.literal(2),
    ...description.shape,
    /** Whether the engines of its tables are replicated. */
    is_replicated: z.boolean(),
    shards: z.array(shard).min(1),
  }),
])

export type BackupManifest = z.infer<typeof manifest>
/** What all formats have in common. */
export type BackupDescription = z.infer<typeof description>
export type BackupShard = z.infer<typeof shard>
export type BackupTable = z.infer<typeof table>
export type BackupFile = z.infer<typeof file>

/** What the servers of all shards have written; a single server is one shard. */
export function backupShards(backup: BackupManifest): readonly BackupShard[] {
  if (backup.format === 2) return backup.shards
  const { tables, files, row_counts } = backup
  return [{ directory: '', generation: 1, tables, files, row_counts }]
}

/** Where a shard is in the target. */
export function shardPath(id: string, { directory }: Pick<BackupShard, 'directory'>): string {
  return directory === '' ? id : `${id}/${directory}`
}

const startMark = z.object({ id: z.string(), base_id: z.string().nullable(), started_at: z.iso.datetime() })

/** Written before a backup begins and removed after its manifest is written. */
export type BackupStartMark = z.infer<typeof startMark>

/** With a checksum of its own: it is what the files are compared with. */
export function serializeManifest(backup: BackupManifest): string {
  return `${JSON.stringify({ ...backup, checksum: checksumOf(backup) })}\n`
}

export function parseManifest(text: string): BackupManifest {
  const { checksum, ...content } = JSON.parse(text) as Record<string, unknown>
  if (checksum !== checksumOf(content)) throw new Error('the checksum of the manifest is wrong')
  return manifest.parse(content)
}

function checksumOf(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

export function parseStartMark(text: string): BackupStartMark {
  return startMark.parse(JSON.parse(text))
}

/** Total size of the files of this backup, without those of its base. */
export function storedBytes(backup: BackupManifest): number {
  return storedFiles(backup).reduce((sum, { size }) => sum + size, 0)
}

/** Files of all shards, with paths within the target. */
export function storedFiles(backup: BackupManifest): BackupFile[] {
  return backupShards(backup).flatMap((each) =>
    each.files.map((one) => ({ ...one, path: `${shardPath(backup.id, each)}/${one.path}` })),
  )
}

export function totalRows(backup: BackupManifest): number {
  return storedTables(backup).reduce((sum, { rows }) => sum + rows, 0)
}

/** Tables with the sums of all shards. */
export function storedTables(backup: BackupManifest): BackupTable[] {
  const sums = new Map<string, BackupTable>()
  for (const { name, rows, bytes, parts } of backupShards(backup).flatMap(({ tables }) => tables)) {
    const known = sums.get(name) ?? { name, rows: 0, bytes: 0, parts: 0 }
    sums.set(name, { name, rows: known.rows + rows, bytes: known.bytes + bytes, parts: known.parts + parts })
  }
  return [...sums.values()]
}

const BACKUP_ID = /^\d{8}-\d{6}-[0-9a-f]{4}$/

/** Ids sort by time and are safe as names of directories and S3 keys. */
export function newBackupId(now: Date, suffix: string): string {
  const digits = now.toISOString().replaceAll(/\D/g, '')
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${suffix}`
}

export function isBackupId(text: string): boolean {
  return BACKUP_ID.test(text)
}

/** When the backup began, in milliseconds. */
export function backupTime(id: string): number {
  return Date.parse(id.replace(/^(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})-.*$/, '$1-$2-$3T$4:$5:$6Z'))
}
