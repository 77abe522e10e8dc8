import { expect, test } from 'vitest'
import { formatTime } from '../../src/core/time/time.ts'
import { startTestServer, useServer } from '../harness.ts'

/** Calls that have started and not ended. */
const server = useServer({ staleAfterMs: 60_000 })
const ago = (seconds: number): string => formatTime((BigInt(Date.now()) - BigInt(seconds) * 1000n) * 1000n)

interface CallView {
  readonly id: string
  readonly started_at: string
  readonly ended_at: string | null
  readonly wb_user_id: string
  readonly output: unknown
  readonly summary: { readonly weave: Readonly<Record<string, unknown>> }
}

async function read(project_id: string, id: string, at = server): Promise<CallView> {
  const { call } = await at.post<{ call: CallView }>('/call/read', { project_id, id })
  return call
}

test('a started call is visible as running, with its start time and user', async () => {
  const project_id = 'acme/running'
  const started_at = ago(5)
  await server.post('/call/start', { start: { project_id, id: 'a', op_name: 'op', started_at } })
  const expected = { id: 'a', started_at, ended_at: null, wb_user_id: 'admin' }
  expect(await read(project_id, 'a')).toMatchObject({
    ...expected,
    summary: { weave: { status: 'running', trace_name: 'op' } },
  })
  const running = { $expr: { $eq: [{ $getField: 'summary.weave.status' }, { $literal: 'running' }] } }
  const { calls } = await server.post<{ calls: CallView[] }>('/calls/query', { project_id, query: running })
  expect(calls).toMatchObject([expected])
})

test('a call that runs longer than the setting is stale until it ends', async () => {
  const project_id = 'acme/stale'
  await server.post('/call/start', {
    start: { project_id, id: 'old', op_name: 'op', started_at: ago(100) },
  })
  await server.post('/call/start', {
    start: { project_id, id: 'young', op_name: 'op', started_at: ago(10) },
  })
  const stale = async (at = server) => {
    const { calls } = await at.post<{ calls: CallView[] }>('/calls/query', { project_id })
    return calls.map(({ id, summary }) => [id, summary.weave['status'], summary.weave['stale']])
  }
  expect(await stale()).toEqual([
    ['old', 'running', true],
    ['young', 'running', undefined],
  ])
  expect((await read(project_id, 'old')).summary.weave).toMatchObject({ status: 'running', stale: true })
  await server.post('/call/end', { end: { project_id, id: 'old', ended_at: ago(1), summary: {} } })
  expect((await stale())[0]).toEqual(['old', 'success', undefined])
  const never = await startTestServer({ staleAfterMs: 0, clickhouseDatabase: server.heddle.deps.db.name })
  await server.post('/call/start', { start: { project_id, id: 'old2', op_name: 'op', started_at: ago(100) } })
  expect((await stale(never)).map((each) => each[2])).toEqual([undefined, undefined, undefined])
  await never.heddle.stop()
})

test('a call that ends several times has the last end, whatever its time, on any node', async () => {
  const other = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
  const ends = [
    { ended_at: ago(30), output: 'early' },
    { ended_at: ago(20), output: 'late' },
    { ended_at: ago(20), output: 'late too' },
  ]
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
    [2, 0, 1],
  ]
  for (const [n, order] of orders.entries()) {
    const project_id = `acme/ends-${n}`
    const start = { project_id, id: 'a', op_name: 'op', started_at: ago(90) }
    // The start arrives first, in the middle or last.
    for (const [i, which] of order.entries()) {
      if (i === n % 3) await server.post('/call/start', { start })
      const node = i % 2 === 0 ? server : other
      await node.post('/call/end', { end: { project_id, id: 'a', summary: {}, ...ends[which] } })
    }
    const seen = [await read(project_id, 'a'), await read(project_id, 'a', other)]
    expect(seen[0]).toEqual(seen[1])
    const { ended_at, output } = seen[0]!
    expect({ ended_at, output }).toEqual(ends[order.at(-1)!])
  }
  await other.heddle.stop()
})
