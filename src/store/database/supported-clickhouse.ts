import { ApiError } from '../../contract/api-error.ts'
import { type Sql, sql } from '../query/sql.ts'
import { TESTED_VERSION } from './clickhouse-client.ts'
import { clickHouseErrorCode } from './clickhouse-error.ts'
import type { Database } from './database.ts'

/** Refuses a ClickHouse on which what Heddle promises would not hold. */

export interface ServerKind {
  readonly version: string
  readonly cloud_mode: string
  /** Tables of Heddle that ClickHouse Cloud has replaced by its own kind. */
  readonly shared_tables: number
}

/** Throws a sentence that says what to do. It changes nothing and needs no database. */
export async function requireSupportedClickHouse(db: Database, database: string): Promise<void> {
  const kind = await db
    .first<ServerKind>(selectServerKind(database), { name: 'server kind', kind: 'point' })
    .catch((error: unknown) => {
      const code = clickHouseErrorCode(error)
      if (code === UNKNOWN_SETTING) throw new Error(tooOld('this ClickHouse'), { cause: error })
      if (code !== undefined || error instanceof ApiError || !(error instanceof Error)) throw error
      throw new Error(notClickHouse(db.settings.url, error.message), { cause: error })
    })
  const reason = kind && unsupportedReason(kind)
  if (reason !== undefined) throw new Error(reason)
}

/** How an older ClickHouse rejects any statement of Heddle. */
const UNKNOWN_SETTING = '115'

/** ClickHouse responds to unknown paths and on its other ports with a help text, other servers with a page. */
function notClickHouse(url: string, response: string): string {
  const begin = response.split(/[\r\n?]/)[0]?.slice(0, 100) ?? ''
  return `${url} is not the HTTP interface of ClickHouse (its response begins with "${begin}"); use the port of http_port, usually 8123, or of https_port, usually 8443`
}

function tooOld(clickhouse: string): string {
  return `${clickhouse} is too old: Heddle needs ${TESTED_VERSION} or newer. Upgrade ClickHouse`
}

export function unsupportedReason({ version, cloud_mode, shared_tables }: ServerKind): string | undefined {
  if (isOlder(version, TESTED_VERSION)) return tooOld(`ClickHouse ${version}`)
  // Its replicas share no order of writes unless every read asks for it, and a load balancer chooses among them.
  if (cloud_mode === '1' || shared_tables > 0)
    return 'ClickHouse Cloud is not supported: a read could miss a write that was acknowledged. Use a ClickHouse of your own, or the embedded one'
  return undefined
}

/** Versions are `major.minor.patch.build`. */
function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [otherMajor = 0, otherMinor = 0] = than.split('.').map(Number)
  return major < otherMajor || (major === otherMajor && minor < otherMinor)
}

export function selectServerKind(database: string): Sql {
  return sql`SELECT version() AS version, (SELECT any(value) FROM system.settings WHERE name = 'cloud_mode') AS cloud_mode,
    (SELECT toUInt32(count()) FROM system.tables WHERE database = ${database} AND engine LIKE 'Shared%') AS shared_tables`
}
