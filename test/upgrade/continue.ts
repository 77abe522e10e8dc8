import assert from 'node:assert/strict'
import { ADA_PASSWORD, PROJECT, send, write } from './api.ts'
import { CALL_IDS } from './calls.ts'

/** Writes to a database after its upgrade, and reads the result: old and new records belong together. */
export async function writeAndRead(url: string): Promise<void> {
  const read = (id: string): Promise<{ call: Record<string, unknown> }> =>
    write(url, 'POST', '/call/read', { project_id: PROJECT, id })
  const count = async (): Promise<number> =>
    (await write<{ count: number }>(url, 'POST', '/calls/query_stats', { project_id: PROJECT })).count
  const before = await count()

  // The start of this call was stored before the upgrade.
  const ended_at = '2026-01-15T11:00:00.000001Z'
  const end = { project_id: PROJECT, id: CALL_IDS.running, ended_at, output: { answer: 'late' }, summary: {} }
  await write(url, 'POST', '/call/end', { end })
  const { call } = await read(CALL_IDS.running)
  assert.deepEqual(call['output'], { answer: 'late' })
  assert.deepEqual(call['inputs'], { question: 'Where is order 15?' })
  assert.equal(Date.parse(String(call['ended_at'])), Date.parse(ended_at))

  const rename = { project_id: PROJECT, call_id: CALL_IDS.root, display_name: 'Renamed after the upgrade' }
  await write(url, 'POST', '/call/update', rename)
  assert.equal((await read(CALL_IDS.root)).call['display_name'], 'Renamed after the upgrade')

  const id = '019b0000-0000-7000-8000-0000000000aa'
  const complete = {
    project_id: PROJECT,
    id,
    trace_id: 'trace-of-the-upgrade',
    op_name: 'answer',
    started_at: '2026-01-15T12:00:00Z',
    ended_at: '2026-01-15T12:00:01Z',
    attributes: { user_id: 'customer-7' },
    inputs: { question: 'Anything new?' },
    output: 'yes',
    summary: {},
  }
  await write(url, 'POST', `/v2/${PROJECT}/calls/complete`, { batch: [complete] })
  await write(url, 'POST', '/calls/delete', { project_id: PROJECT, call_ids: [CALL_IDS.replaced] })
  assert.equal((await read(id)).call['output'], 'yes')
  assert.equal(await count(), before)

  // An extracted field, of calls from before and after the upgrade.
  const query = { $expr: { $eq: [{ $getField: 'end_user' }, { $literal: 'customer-7' }] } }
  const { calls } = await write<{ calls: { id: string }[] }>(url, 'POST', '/calls/query', {
    project_id: PROJECT,
    query,
    columns: ['id'],
  })
  const found = new Set(calls.map((row) => row.id))
  assert.ok(found.has(id) && found.has(CALL_IDS.root) && found.has(CALL_IDS.model), JSON.stringify(calls))

  const { digest = '' } = await write(url, 'POST', '/obj/create', {
    obj: { project_id: PROJECT, object_id: 'settings', val: { text: 'after the upgrade' } },
  })
  const latest = await write<{ obj: { digest: string } }>(url, 'POST', '/obj/read', {
    project_id: PROJECT,
    object_id: 'settings',
    digest: 'latest',
  })
  assert.equal(latest.obj.digest, digest)

  const signIn = { username: 'ada', password: ADA_PASSWORD }
  assert.equal((await send(url, { method: 'POST', path: '/api/v1/session', body: signIn })).status, 200)
}
