import { MOVED_VERSION } from '../../core/calls/fact-versions.ts'
import { type CallHome, findHome, type Presence } from '../../core/cluster/call-home.ts'
import { byProject, type CallKey, callKey } from '../calls/write/call-keys.ts'
import type { Database } from '../database/database.ts'
import { fromProjects } from '../query/scope.ts'
import { bound, type Sql, sql } from '../query/sql.ts'

/** A call whose id has several candidates. */
export interface PlacedCall extends CallKey {
  readonly candidates: readonly number[]
}

/** Finds out which candidates have a call. Concurrent requests share the statements. */
export class CallPresences {
  readonly #db: Database
  readonly #shards: readonly PresenceLookup[]

  constructor(db: Database) {
    this.#db = db
    this.#shards = db.shards.map((shard) => new PresenceLookup(shard))
  }

  /** By call key. `isWritten`: the caller has stored records on this shard, which is therefore not asked. */
  async findHomes(calls: readonly PlacedCall[], isWritten?: number): Promise<Map<string, CallHome>> {
    const asked = new Map<number, CallKey[]>()
    for (const { project_id, id, candidates } of calls)
      for (const shard of candidates)
        if (shard !== isWritten) asked.set(shard, [...(asked.get(shard) ?? []), { project_id, id }])
    const found = new Map<number, ReadonlyMap<string, Presence>>()
    await Promise.all(
      [...asked].map(async ([shard, keys]) => {
        const presences = await this.#shards[shard]?.find(keys)
        if (presences !== undefined) found.set(shard, presences)
      }),
    )
    return new Map(
      calls.map(({ project_id, id, candidates }) => {
        const key = callKey({ project_id, id })
        const presences = candidates.map((shard): Presence =>
          shard === isWritten ? 'present' : (found.get(shard)?.get(key) ?? 'absent'),
        )
        return [key, findHome(candidates, presences, this.#db.shardOfNewCall(project_id, id))]
      }),
    )
  }
}

const MAX_IDS = 10_000

interface WaitingLookup {
  readonly keys: readonly CallKey[]
  readonly found: (presences: ReadonlyMap<string, Presence>) => void
  readonly failed: (error: unknown) => void
}

/** Lookups on one shard, one statement at a time: those that arrive while it runs share the next. */
class PresenceLookup {
  readonly #db: Database
  #waiting: WaitingLookup[] = []
  #isRunning = false

  constructor(db: Database) {
    this.#db = db
  }

  find(keys: readonly CallKey[]): Promise<ReadonlyMap<string, Presence>> {
    return new Promise((found, failed) => {
      this.#waiting.push({ keys, found, failed })
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (let taken = this.#take(); taken.length > 0; taken = this.#take()) {
      try {
        const presences = await readPresences(
          this.#db,
          taken.flatMap(({ keys }) => keys),
        )
        for (const { found } of taken) found(presences)
      } catch (error) {
        for (const { failed } of taken) failed(error)
      }
    }
    this.#isRunning = false
  }

  #take(): WaitingLookup[] {
    let ids = 0
    const count = this.#waiting.findIndex(({ keys }, index) => (ids += keys.length) > MAX_IDS && index > 0)
    return this.#waiting.splice(0, count < 0 ? this.#waiting.length : count)
  }
}

async function readPresences(db: Database, keys: readonly CallKey[]): Promise<Map<string, Presence>> {
  const rows = await db.rows<CallKey & { readonly is_moved: number }>(selectPresences(keys), {
    name: 'calls on shard',
    kind: 'write',
  })
  return new Map(rows.map((row) => [callKey(row), row.is_moved === 1 ? 'moved' : 'present']))
}

/** The version that marks a moved call in `call_ids`. No record has it. */
export const MOVED_MARK = 0n

/** A call with the mark, and without a row that was inserted since it was moved. */
export function selectPresences(keys: readonly CallKey[]): Sql {
  return sql`SELECT project_id, id, max(is_part = 1 AND oldest = ${bound('UInt128', MOVED_MARK)}) AND NOT max(is_part = 0 AND newest < ${bound('UInt128', MOVED_VERSION)}) AS is_moved
FROM (SELECT project_id, id, is_part, started_at, start_hash, min(version) AS oldest, max(version) AS newest
  ${fromProjects('call_ids', byProject(keys))}
  GROUP BY project_id, id, is_part, started_at, start_hash)
GROUP BY project_id, id`
}
