import type { ClickHouseClient } from '@clickhouse/client'
import { type ConnectionSettings, createStatementClient } from './clickhouse-client.ts'
import type { QueryClass } from './read-limits.ts'

/**
 * Connection pools. A statement waits only for connections of its own pool, so that no amount of reads delays an
 * insert, no heavy read a read by id, and nothing a sign-in. This module decides which pool a statement uses. The SQL
 * sandbox and pings have connections of their own (clickhouse-client.ts).
 */

/**
 * `calls`: call ingest, with its reads by key. `records`: inserts of everything else. `points`: reads by id. `heavy`:
 * lists and scans. `exports`, `live`: exports, the live feed. `access`: users, keys, roles and projects.
 */
const POOLS = ['calls', 'records', 'points', 'heavy', 'exports', 'live', 'access'] as const
type Pool = (typeof POOLS)[number]

const POOL_OF_QUERY: Readonly<Record<QueryClass, Pool>> = {
  write: 'calls',
  point: 'points',
  list: 'heavy',
  scan: 'heavy',
  export: 'exports',
  live: 'live',
  access: 'access',
}

const POOL_OF_TABLE: ReadonlyMap<string, Pool> = new Map([
  ['calls', 'calls'],
  ['call_parts', 'calls'],
  ['users', 'access'],
  ['api_keys', 'access'],
  ['members', 'access'],
  ['projects', 'access'],
  ['quotas', 'access'],
  ['secrets', 'access'],
])

/** Connections for reads by id. More than read-admission.ts grants to requests, which leaves some for writes. */
const POINT_CONNECTIONS = 48

function poolSizes(maxConcurrentReads: number): Readonly<Record<Pool, number>> {
  return {
    calls: 16,
    records: 16,
    points: POINT_CONNECTIONS,
    // A request with a slot may run a stream and one other statement, and long streams leave their slot to others.
    heavy: 4 * maxConcurrentReads,
    exports: 2 * maxConcurrentReads,
    live: 8,
    access: 8,
  }
}

const DEFAULT_CONCURRENT_READS = 16

export class ConnectionPools {
  readonly #clients: Readonly<Record<Pool, ClickHouseClient>>

  constructor(settings: ConnectionSettings, maxConcurrentReads = DEFAULT_CONCURRENT_READS) {
    const sizes = poolSizes(maxConcurrentReads)
    this.#clients = Object.fromEntries(
      POOLS.map((pool) => [pool, createStatementClient(settings, sizes[pool])]),
    ) as Record<Pool, ClickHouseClient>
  }

  forQuery(kind: QueryClass): ClickHouseClient {
    return this.#clients[POOL_OF_QUERY[kind]]
  }

  forInsert(table: string): ClickHouseClient {
    return this.#clients[POOL_OF_TABLE.get(table) ?? 'records']
  }

  /** For DDL and other statements without a result. */
  forCommand(): ClickHouseClient {
    return this.#clients.records
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#clients).map((client) => client.close()))
  }
}
