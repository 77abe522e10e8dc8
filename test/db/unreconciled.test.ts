import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/core/time/time.ts'
import { CALL_COLUMNS } from '../../src/store/calls/call-columns.ts'
import { RecordEncoder } from '../../src/store/calls/record-encoder.ts'
import { writeCallRow } from '../../src/store/calls/call-rows.ts'
import { reconcileLeftovers } from '../../src/store/calls/unreconciled.ts'
import { RowWriter } from '../../src/store/database/row-binary.ts'
import { deleteRows } from '../../src/store/query/scope.ts'
import { useServer } from '../harness.ts'

/** A sweeper repairs calls whose writer crashed between the insert and its conflict check. */

const server = useServer()

const start = (project_id: string, id: string) => ({
  project_id,
  id,
  op_name: 'op',
  started_at: '2026-11-01T00:00:00Z',
})

const end = (project_id: string, id: string) => ({
  project_id,
  id,
  ended_at: '2026-11-01T00:00:01Z',
  output: 'done',
})

/** Inserts the row of a start as the fast path does, without the conflict check after it. */
async function insertWithoutCheck(project_id: string, id: string, op_name = 'op'): Promise<void> {
  const { db, newId, callWriter } = server.heddle.deps
  const encoder = new RecordEncoder({
    wb_user_id: 'admin',
    now: systemClock(),
    newId,
    clock: callWriter.clock,
  })
  const rows = new RowWriter()
  writeCallRow(rows, encoder.start({ ...start(project_id, id), op_name }).facts, 0n)
  await db.insertBinary('calls', CALL_COLUMNS, [rows.take()])
}

async function outputs(project_id: string): Promise<unknown[]> {
  const { calls } = await server.post<{ calls: { output: unknown }[] }>('/calls/query', { project_id })
  return calls.map((call) => call.output)
}

const sweep = (): Promise<number> => {
  const { db, callWriter } = server.heddle.deps
  return reconcileLeftovers(db, callWriter.clock, 60)
}

describe('leftovers of a crashed writer are reconciled', () => {
  test('an end that was acknowledged before its start is visible again', async () => {
    const project_id = 'acme/orphan-end'
    await server.post('/call/end', { end: end(project_id, 'a') })
    await insertWithoutCheck(project_id, 'a')
    expect(await outputs(project_id)).toEqual([null])
    expect(await sweep()).toBe(1)
    expect(await outputs(project_id)).toEqual(['done'])
    expect(await sweep()).toBe(0)
  })

  test('a call that was already complete is listed once', async () => {
    const project_id = 'acme/late-start'
    const batch = [{ ...start(project_id, 'b'), ...end(project_id, 'b') }]
    await server.post(`/v2/${project_id}/calls/complete`, { batch })
    await insertWithoutCheck(project_id, 'b', 'another op')
    expect((await outputs(project_id)).length).toBe(2)
    expect(await sweep()).toBe(1)
    expect(await outputs(project_id)).toEqual(['done'])
    expect(await sweep()).toBe(0)
  })

  test('a deleted call stays deleted', async () => {
    const project_id = 'acme/late-deleted'
    await server.post('/calls/delete', { project_id, call_ids: ['c'] })
    await insertWithoutCheck(project_id, 'c')
    expect(await sweep()).toBe(1)
    expect(await outputs(project_id)).toEqual([])
  })

  test('a start whose insert ended before the views has the end that was acknowledged after it', async () => {
    const { db } = server.heddle.deps
    const project_id = 'acme/torn'
    await insertWithoutCheck(project_id, 'f')
    for (const table of ['call_ids', 'live_log'] as const)
      await db.command(deleteRows(project_id, table), 'as if ClickHouse was killed')
    await server.post('/call/end', { end: end(project_id, 'f') })
    expect(await outputs(project_id)).toEqual([null])
    expect(await sweep()).toBe(1)
    expect(await outputs(project_id)).toEqual(['done'])
    expect((await server.post<{ call: { id: string } }>('/call/read', { project_id, id: 'f' })).call.id).toBe(
      'f',
    )
    expect(await sweep()).toBe(0)
  })

  test('calls without conflicts are not touched', async () => {
    const project_id = 'acme/usual'
    await server.post('/call/start', { start: start(project_id, 'd') })
    await server.post('/call/end', { end: end(project_id, 'd') })
    await server.post('/call/end', { end: end(project_id, 'e') })
    await server.post('/call/start', { start: start(project_id, 'e') })
    await server.post('/call/update', { project_id, call_id: 'd', display_name: 'other' })
    expect(await sweep()).toBe(0)
    expect(await outputs(project_id)).toEqual(['done', 'done'])
  })
})
