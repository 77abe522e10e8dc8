import { afterAll, beforeAll, expect, test } from 'vitest'
import { SpendLedger } from '../../src/core/models/spend-ledger.ts'
import { listSpend, LOG_START, writeSpend } from '../../src/store/models/spend.ts'
import { startTestServer, testSettings, type TestServer } from '../harness.ts'
import { type ModelServer, startModelServer } from '../model-server.ts'

/** Budgets of projects: what fits is sent, what does not is refused before it is, also by two nodes at once. */

let model: ModelServer
let nodes: readonly [TestServer, TestServer]

beforeAll(async () => {
  // Long enough that requests overlap.
  model = await startModelServer(({ messages }) => ({
    text: 'Yes.',
    ms: 20,
    usage: {
      prompt: messages[0]?.content === 'Less?' ? -1_000_000 : 100,
      completion: 20,
      cached: 0,
      reasoning: 0,
    },
  }))
  const settings = testSettings({
    openaiBaseUrl: model.url,
    openaiApiKey: 'sk-1',
    modelsAllowedNetworks: '127.0.0.1',
  })
  nodes = [await startTestServer(settings), await startTestServer(settings)]
})
afterAll(async () => {
  await nodes[1].heddle.stop()
  await nodes[0].stop()
  await model.stop()
})

interface Budget {
  readonly dollars_per_day: number | null
  readonly is_default: boolean
  readonly spent_today: number
  readonly reserved_today: number
}

const path = (project_id: string): string => `/api/v1/projects/${project_id}/model_budget`
const readBudget = async (node: TestServer, project_id: string) =>
  (await node.send(path(project_id))).json as unknown as Budget
const setBudget = (project_id: string, dollars_per_day: number | null) =>
  nodes[0].send(path(project_id), { dollars_per_day }, { method: 'PUT' })

/** 100 prompt tokens and 20 completion tokens cost 0.3 dollars. */
const COST = 0.3
const setPrice = (project_id: string) =>
  nodes[0].post('/cost/create', {
    project_id,
    costs: { 'gpt-4o-mini': { prompt_token_cost: 0.001, completion_token_cost: 0.01 } },
  })

/** The status of the response: 200, or the one of the error. */
async function ask(node: TestServer, project_id: string, inputs: object = {}): Promise<number> {
  const { response } = await node.post<{ response: { error_status_code?: number } }>('/completions/create', {
    project_id,
    inputs: {
      model: 'gpt-4o-mini',
      // As long as the prompt tokens that the model reports, at least: what is reserved is more than what is settled.
      messages: [{ role: 'user', content: 'Yes?'.padEnd(100, '.') }],
      max_tokens: 20,
      ...inputs,
    },
    track_llm_call: false,
  })
  return response.error_status_code ?? 200
}

test('200 concurrent requests on two nodes stay within the budget, and what is left can be spent', async () => {
  const project_id = 'budgets/concurrent'
  const limit = 12
  await setPrice(project_id)
  expect((await setBudget(project_id, limit)).json).toMatchObject({
    dollars_per_day: limit,
    is_default: false,
  })
  const before = model.requests.length
  const statuses = await Promise.all(
    Array.from({ length: 200 }, (_, i) => ask(nodes[i % 2 === 0 ? 0 : 1], project_id)),
  )
  const granted = statuses.filter((status) => status === 200).length
  expect(statuses.filter((status) => status === 429).length).toBe(200 - granted)
  expect(model.requests.length - before).toBe(granted)

  // At no moment was more reserved and spent than the budget, in the order in which the database has it.
  const { db, now } = nodes[0].heddle.deps
  const today = new Date(Number(now() / 1000n)).toISOString().slice(0, 10)
  const log = await listSpend(db, project_id, today, LOG_START)
  const ledger = new SpendLedger()
  let highest = 0n
  for (const entry of log) {
    ledger.add(entry)
    highest = ledger.total > highest ? ledger.total : highest
  }
  expect(Number(highest) / 1e12).toBeLessThanOrEqual(limit)
  // No request is larger than 0.5 dollars, so at least so many fit even if none was settled in between.
  expect(granted).toBeGreaterThanOrEqual(limit / 0.5)

  for (const node of nodes) {
    const budget = await readBudget(node, project_id)
    expect(budget.spent_today).toBeCloseTo(granted * COST, 6)
    expect(budget.reserved_today).toBe(0)
  }
  // One after another, the rest is used up to less than one request.
  let more = 0
  while (more < 50 && (await ask(nodes[more % 2 === 0 ? 0 : 1], project_id)) === 200) more++
  const { spent_today } = await readBudget(nodes[1], project_id)
  expect(spent_today).toBeCloseTo((granted + more) * COST, 6)
  expect(spent_today).toBeLessThanOrEqual(limit)
  expect(spent_today).toBeGreaterThan(limit - 0.5)
})

test('a budget needs a price, limits the response, and ends with null', async () => {
  const project_id = 'budgets/rules'
  expect(await readBudget(nodes[0], project_id)).toEqual({
    dollars_per_day: null,
    is_default: true,
    spent_today: 0,
    reserved_today: 0,
  })
  expect(await ask(nodes[0], project_id, { model: 'openai/unpriced' })).toBe(200)
  await setBudget(project_id, 1)
  expect(await ask(nodes[0], project_id, { model: 'openai/unpriced' })).toBe(400)
  await setPrice(project_id)
  // Without a limit of the request, the reservation is for 4,096 tokens: 41 dollars.
  expect(await ask(nodes[0], project_id, { max_tokens: null })).toBe(429)
  await setBudget(project_id, 100)
  expect(await ask(nodes[0], project_id, { max_tokens: null })).toBe(200)
  expect(JSON.parse(model.requests.at(-1)!.text)).toMatchObject({ max_completion_tokens: 4096 })
  expect((await readBudget(nodes[1], project_id)).spent_today).toBeCloseTo(COST, 6)
  // Text is text, whatever it looks like.
  await setBudget(project_id, 5)
  const messages = [{ role: 'user', content: `data:image/png;base64,${'a'.repeat(10_000)}` }]
  expect(await ask(nodes[0], project_id, { messages })).toBe(429)
  // A provider cannot lower what was spent: the reservation stays.
  expect(await ask(nodes[0], project_id, { messages: [{ role: 'user', content: 'Less?' }] })).toBe(200)
  const { spent_today, reserved_today } = await readBudget(nodes[1], project_id)
  expect([spent_today.toFixed(6), reserved_today > 0]).toEqual([COST.toFixed(6), true])
  // What the provider refuses costs nothing.
  expect(await ask(nodes[0], project_id, { model: 'openai/fault-429' })).toBe(400)
  await setBudget(project_id, 0)
  expect(await ask(nodes[0], project_id)).toBe(429)
  await setBudget(project_id, null)
  expect(await ask(nodes[0], project_id)).toBe(200)
  const writer = nodes[0].as(await nodes[0].user('spender', { budgets: 'write' }))
  expect((await writer(path(project_id), { dollars_per_day: 5 }, { method: 'PUT' })).status).toBe(403)
})

test('what a killed node has reserved stays reserved for the day', async () => {
  const project_id = 'budgets/killed'
  await setPrice(project_id)
  await setBudget(project_id, 1)
  const { db, now } = nodes[0].heddle.deps
  const today = new Date(Number(now() / 1000n)).toISOString().slice(0, 10)
  const entry = { id: 'killed', kind: 'reserve' as const, amount: 800_000_000_000n, limit: 10n ** 12n }
  await writeSpend(db, project_id, today, entry)
  expect(await ask(nodes[1], project_id)).toBe(429)
  expect(await readBudget(nodes[1], project_id)).toMatchObject({ spent_today: 0, reserved_today: 0.8 })
})
