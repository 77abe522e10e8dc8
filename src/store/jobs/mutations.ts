import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'
import type { RenewLease } from './leases.ts'

/**
 * Mutations that may take longer than a request to ClickHouse: they are started, and then observed until they are done.
 * ClickHouse goes on with a mutation when Heddle is stopped.
 */

const FIRST_POLL_MS = 20
const MAX_POLL_MS = 1_000

/** ClickHouse retries a failing mutation forever, and it blocks those after it. After this time it is removed. */
const FAILURE_MS = 60_000

/** Identifies one mutation in `system.mutations`, which has its text. Letters, digits and `-` only. */
export type MutationId = string

/**
 * Runs `statement`, which ends with a WHERE clause, and waits until it is done. `id` becomes part of the condition. The
 * text of a mutation is stored on disk, so it must not contain data of calls.
 */
export async function runMutation(
  db: Database,
  statement: Sql,
  id: MutationId,
  { name, renew }: { readonly name: string; readonly renew: RenewLease },
): Promise<void> {
  await db.command(sql`${statement} AND ${id} != ''`, name, { isAsync: true })
  const startedMs = performance.now()
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 2, MAX_POLL_MS)) {
    const [state] = await db.rows<{ running: string; reason: string }>(selectMutation(id), {
      name: 'mutation state',
      kind: 'point',
    })
    if (state === undefined || state.running === '0') return
    if (state.reason !== '' && performance.now() - startedMs > FAILURE_MS) {
      await db.command(killMutation(id), name)
      throw new Error(`ClickHouse could not complete "${name}": ${state.reason}`)
    }
    await renew()
    await sleep(pollMs)
  }
}

export function selectMutation(id: MutationId): Sql {
  return sql`SELECT countIf(NOT is_done) AS running, anyIf(latest_fail_reason, NOT is_done) AS reason
FROM system.mutations WHERE database = currentDatabase() AND position(command, ${id}) > 0`
}

export function killMutation(id: MutationId): Sql {
  return sql`KILL MUTATION WHERE database = currentDatabase() AND NOT is_done AND position(command, ${id}) > 0`
}
