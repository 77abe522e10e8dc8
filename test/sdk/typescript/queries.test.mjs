// `getCalls`, `getCallsIterator`, `login`.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as weave from 'weave'
import { functionName, start, stored } from './programs.mjs'

let client
before(async () => {
  client = await start('queries')
  const fetch = weave.op(async function fetch(n) {
    return { square: n * n }
  })
  const run = weave.op(async function run(n) {
    return fetch(n)
  })
  for (let n = 0; n < 6; n++) await run(n)
  await client.waitForBatchProcessing()
})

test('by op with any version', async () => {
  assert.equal((await stored(client, { op_names: [`weave:///${client.projectId}/op/fetch:*`] })).length, 6)
})

test('by ids, traces, parents and roots', async () => {
  const calls = await stored(client)
  const root = calls.find((call) => call.parent_id === null)
  assert.equal((await stored(client, { call_ids: [calls[0].id, calls[5].id] })).length, 2)
  assert.equal((await stored(client, { trace_ids: [root.trace_id] })).length, 2)
  const [child] = await stored(client, { parent_ids: [root.id] })
  assert.equal(functionName(child), 'fetch')
  assert.equal((await stored(client, { trace_roots_only: true })).length, 6)
})

test('at most the requested number of calls', async () => {
  assert.equal((await client.getCalls({}, false, 5)).length, 5)
})

test('one call by its id, and an unknown one', async () => {
  const [call] = await stored(client)
  assert.equal((await client.getCall(call.id)).id, call.id)
  await assert.rejects(client.getCall('0199f0a0-0000-7000-8000-000000000000'), /not found/)
})

test('calls are streamed one by one', async () => {
  const squares = []
  for await (const call of client.getCallsIterator({ op_names: [`weave:///${client.projectId}/op/fetch:*`] }))
    squares.push(call.output.square)
  assert.deepEqual(
    squares.sort((a, b) => a - b),
    [0, 1, 4, 9, 16, 25],
  )
})

test('no calls is an empty list', async () => {
  assert.deepEqual(await stored(client, { call_ids: ['0199f0a0-0000-7000-8000-000000000000'] }), [])
})

test('login fails if there is no server', async () => {
  const host = new URL(process.env.WANDB_BASE_URL).host
  const traceServer = process.env.WF_TRACE_SERVER_URL
  await weave.login(process.env.WANDB_API_KEY, host)
  process.env.WF_TRACE_SERVER_URL = 'http://127.0.0.1:1'
  await assert.rejects(weave.login(process.env.WANDB_API_KEY, host), /Unable to verify/)
  process.env.WF_TRACE_SERVER_URL = traceServer
})
