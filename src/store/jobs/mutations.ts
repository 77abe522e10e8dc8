import { randomUUID } from 'node:crypto'
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

/** A replica learns of a mutation that another one has accepted within this time. */
const APPEARANCE_MS = 10_000

/** Identifies one mutation in `system.mutations`, which has its text. Letters, digits and `-` only. */
export type MutationId = string

/**
 * Runs `statement`, which ends with a WHERE clause, and waits until it is done. Its id becomes part of the condition. The
 * text of a mutation is stored on disk, so it must not contain data of calls.
 */
export async function runMutation(
  db: Database,
  statement: Sql,
  idPrefix: MutationId,
  { name, renew }: { readonly name: string; readonly renew: RenewLease },
): Promise<void> {
  // An earlier one of an interrupted run may be there too.
  const id = `${idPrefix}-${randomUUID().slice(0, 8)}`
  await db.command(sql`${statement} AND ${id} != ''`, name, { isAsync: true })
  const startedMs = performance.now()
  let wasSeen = false
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 2, MAX_POLL_MS)) {
    const state = await db.first<{ running: string; done: string; reason: string }>(selectMutation(id), {
      name: 'mutation state',
      kind: 'point',
    })
    const elapsedMs = performance.now() - startedMs
    const isRunning = state !== undefined && state.running !== '0'
    if (!isRunning && state !== undefined && state.done !== '0') return
    if (!isRunning && (wasSeen || elapsedMs > APPEARANCE_MS))
      throw new Error(
        `the mutation of "${name}" has disappeared from ClickHouse: it was killed. The next run repeats it`,
      )
    wasSeen ||= isRunning
    if (isRunning && state.reason !== '' && elapsedMs > FAILURE_MS) {
      await db.command(killMutation(id), name)
      throw new Error(`ClickHouse could not complete "${name}": ${state.reason}`)
    }
    await renew()
    await sleep(pollMs)
  }
}

export function selectMutation(id: MutationId): Sql {
  return sql`SELECT countIf(NOT is_done) AS running, countIf(is_done) AS done, anyIf(latest_fail_reason, NOT is_done) AS reason
FROM system.mutations WHERE database = currentDatabase() AND position(command, ${id}) > 0`
}

export function killMutation(id: MutationId): Sql {
  return sql`KILL MUTATION WHERE database = currentDatabase() AND NOT is_done AND position(command, ${id}) > 0`
}
