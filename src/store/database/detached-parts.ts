import { identifier, type Sql, sql } from '../query/sql.ts'
import type { Database } from './database.ts'

/**
 * Detached parts of the tables of Heddle: data on disk that ClickHouse does not read. It detaches a part that it cannot
 * load, such as one with a truncated file, and starts without its rows.
 */
export interface DetachedPart {
  readonly table: string
  readonly name: string
  readonly reason: string
}

/**
 * All reasons that ClickHouse gives. `lost`: the rows of the part are missing from the table. The others are leftovers
 * of replication, of operations in progress, or were detached by a person (the empty reason). `noquorum` holds rows of an
 * insert that was never acknowledged.
 */
const REASONS: Readonly<Record<string, 'lost' | 'harmless'>> = {
  broken: 'lost',
  'broken-on-start': 'lost',
  'broken-from-backup': 'lost',
  unexpected: 'lost',
  '': 'harmless',
  ignored: 'harmless',
  clone: 'harmless',
  noquorum: 'harmless',
  'covered-by-broken': 'harmless',
  'merge-not-byte-identical': 'harmless',
  'mutate-not-byte-identical': 'harmless',
  attaching: 'harmless',
  deleting: 'harmless',
  'tmp-fetch': 'harmless',
}

export function isLost({ reason }: DetachedPart): boolean {
  return REASONS[reason] === 'lost'
}

/** For the label of a metric: one of a fixed list. */
export function knownReason({ reason }: DetachedPart): string {
  if (reason === '') return 'by-user'
  return Object.hasOwn(REASONS, reason) ? reason : 'other'
}

/** How messages and settings name a part. */
export function partName({ table, name }: DetachedPart): string {
  return `${table}/${name}`
}

export async function listDetachedParts(db: Database): Promise<DetachedPart[]> {
  return db.rows<DetachedPart>(selectDetachedParts(db.name), { name: 'detached parts', kind: 'access' })
}

/** Without `bytes_on_disk`, for which ClickHouse would look at every file. */
export function selectDetachedParts(database: string): Sql {
  return sql`SELECT table, name, ifNull(reason, 'unknown') AS reason FROM system.detached_parts
WHERE database = ${database} ORDER BY table, name`
}

export interface DetachedPartFiles extends DetachedPart {
  readonly bytes: string
  readonly modified_at: string
  /** On the machine of ClickHouse. */
  readonly path: string
}

export async function listDetachedPartFiles(db: Database): Promise<DetachedPartFiles[]> {
  return db.rows<DetachedPartFiles>(selectDetachedPartFiles(db.name), {
    name: 'detached part files',
    kind: 'point',
  })
}

export function selectDetachedPartFiles(database: string): Sql {
  return sql`SELECT table, name, ifNull(reason, 'unknown') AS reason, toString(bytes_on_disk) AS bytes,
    toString(modification_time) AS modified_at, path
FROM system.detached_parts WHERE database = ${database} ORDER BY table, name`
}

/** Deletes the files of a detached part; `part` must come from `listDetachedParts`. */
export async function dropDetachedPart(db: Database, part: DetachedPart): Promise<void> {
  await db.command(dropPart(part), 'detached part drop')
}

export function dropPart({ table, name }: DetachedPart): Sql {
  return sql`ALTER TABLE ${identifier(table)} DROP DETACHED PART ${name} SETTINGS allow_drop_detached = 1`
}
