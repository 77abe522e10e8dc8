import { afterEach, expect, test, vi } from 'vitest'
import {
  refreshUnavailableShards,
  reportUnavailableShards,
  shardsOf,
  unavailableShards,
} from './unavailable-shards.ts'

const never = new AbortController().signal
const serverSays = (body: object, status = 200): void =>
  void vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status }))

afterEach(() => vi.unstubAllGlobals())

test('shards are collected, and removed when the server says that they are back', async () => {
  reportUnavailableShards([3])
  reportUnavailableShards([2, 3])
  expect(unavailableShards()).toEqual([2, 3])
  serverSays({ status: 'ready', unavailable_shards: [2, 3] })
  expect(await refreshUnavailableShards(never)).toBe(false)
  serverSays({ reason: 'ClickHouse does not respond' }, 503)
  expect(await refreshUnavailableShards(never)).toBe(false)
  expect(unavailableShards()).toEqual([2, 3])
  serverSays({ status: 'ready', unavailable_shards: [3] })
  expect(await refreshUnavailableShards(never)).toBe(true)
  expect(unavailableShards()).toEqual([3])
  serverSays({ status: 'ready' })
  expect(await refreshUnavailableShards(never)).toBe(true)
  expect(unavailableShards()).toEqual([])
})

test('an error names shards, or none', () => {
  expect(shardsOf({ unavailable_shards: [1, 2] })).toEqual([1, 2])
  expect(shardsOf({ request_id: 'r' })).toEqual([])
})
