import { expect, test } from 'vitest'
import { MemoryBudget } from './memory-budget.ts'
import { OpenRequests } from './open-requests.ts'
import { RequestContext } from './request-context.ts'

const memoryBudget = new MemoryBudget({ limitBytes: 1_000_000, waitMs: 10 })

function open(openRequests: OpenRequests) {
  const client = { isConnected: true, isResponding: false }
  return { client, context: new RequestContext({ request_id: 'r', memoryBudget, openRequests, client }) }
}

test('a request that is open after its connection was closed is a leak, after 10 s', () => {
  const openRequests = new OpenRequests(60_000)
  const { client, context } = open(openRequests)
  const nowMs = context.startedMs
  client.isConnected = false
  expect(openRequests.leakReason(nowMs)).toBeUndefined()
  expect(openRequests.leakReason(nowMs + 9_000)).toBeUndefined()
  expect(openRequests.leakReason(nowMs + 11_000)).toContain('1 requests have ended')
  context.close(false)
  expect([openRequests.leakReason(nowMs + 12_000), openRequests.count]).toEqual([undefined, 0])
})

test('a request without a response for longer than all timeouts is a leak, a long response is none', () => {
  const openRequests = new OpenRequests(60_000)
  const { client, context } = open(openRequests)
  client.isResponding = true
  expect(openRequests.leakReason(context.startedMs + 86_400_000)).toBeUndefined()
  client.isResponding = false
  expect(openRequests.leakReason(context.startedMs + 59_000)).toBeUndefined()
  expect(openRequests.leakReason(context.startedMs + 61_000)).toContain('restart this server')
})
