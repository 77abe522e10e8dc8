import { identifier, type Sql, sql } from '../query/sql.ts'
import type { Database } from './database.ts'
import { serverHost } from './every-server.ts'

/**
 * Detached parts of the tables of Heddle: data on disk that ClickHouse does not read. It detaches a part that it cannot
 * load, such as one with a truncated file, and starts without its rows.
 */
export interface DetachedPart {
  readonly table: string
  readonly name: string
  readonly reason: string
  /** The host of the ClickHouse server; undefined if there is only one. */
  readonly server?: string | undefined
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

/** How messages and settings name a part. Servers of a cluster have parts of the same name. */
export function partName({ server, table, name }: DetachedPart): string {
  return server === undefined ? `${table}/${name}` : `${server}/${table}/${name}`
}

/** Of one server. */
export async function listDetachedParts(server: Database): Promise<DetachedPart[]> {
  return server.rows<DetachedPart>(selectDetachedParts(server.name), {
    name: 'detached parts',
    kind: 'access',
  })
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

/** Of one server. */
export async function listDetachedPartFiles(server: Database): Promise<DetachedPartFiles[]> {
  return server.rows<DetachedPartFiles>(selectDetachedPartFiles(server.name), {
    name: 'detached part files',
    kind: 'point',
  })
}

export function selectDetachedPartFiles(database: string): Sql {
  return sql`SELECT table, name, ifNull(reason, 'unknown') AS reason, toString(bytes_on_disk) AS bytes,
    toString(modification_time) AS modified_at, path
FROM system.detached_parts WHERE database = ${database} ORDER BY table, name`
}

/** Deletes the files of a detached part, which must come from `listDetachedParts` of the servers of `db`. */
export async function dropDetachedPart(db: Database, part: DetachedPart): Promise<void> {
  const { everyServer } = db
  const server = everyServer.find(
    (each) => everyServer.length === 1 || serverHost(each.settings.url) === part.server,
  )
  await server?.command(dropPart(part), 'detached part drop')
}

export function dropPart({ table, name }: DetachedPart): Sql {
  return sql`ALTER TABLE ${identifier(table)} DROP DETACHED PART ${name} SETTINGS allow_drop_detached = 1`
}
