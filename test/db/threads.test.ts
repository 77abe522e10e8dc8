import { beforeAll, expect, test } from 'vitest'
import { parseJsonLines, useServer } from '../harness.ts'

const server = useServer()
const PROJECT = 'acme/threads'

type Json = Record<string, unknown>

const at = (second: number, ms = 0): string => new Date(Date.UTC(2026, 3, 1, 0, 0, second, ms)).toISOString()

function turn(
  id: string,
  thread_id: string | null,
  start: string,
  end: string | null,
  extra: Json = {},
): Json {
  const call = { project_id: PROJECT, id, trace_id: `t-${id}`, op_name: 'turn', thread_id, turn_id: id }
  return { ...call, started_at: start, ended_at: end, attributes: {}, inputs: {}, summary: {}, ...extra }
}

async function threads(extra: Json = {}): Promise<Json[]> {
  const response = await server.send('/threads/stream_query', { project_id: PROJECT, ...extra })
  expect([response.status, response.text]).toEqual([200, expect.any(String)])
  return parseJsonLines<Json>(response.text)
}

const names = async (extra: Json): Promise<unknown[]> =>
  (await threads(extra)).map((thread) => thread['thread_id'])

beforeAll(async () => {
  const batch = [
    turn('a1', 'alpha', at(0), at(1)),
    turn('a2', 'alpha', at(10), at(13)),
    // A descendant of a turn: part of the thread, but not a turn.
    turn('a2-child', 'alpha', at(11), at(60), { turn_id: 'a2', parent_id: 'a2' }),
    turn('b1', 'beta', at(5), at(5, 500)),
    turn('none', null, at(8), at(9)),
  ]
  for (let i = 0; i < 2; i++) {
    await server.post('/v2/acme/threads/calls/complete', { batch })
    const { ended_at: _, ...running } = turn('a3', 'alpha', at(20), null)
    await server.post('/call/start', { start: running })
    await server.post('/call/start', {
      start: { ...running, id: 'r', turn_id: 'r', thread_id: 'only-running' },
    })
  }
})

test('a thread aggregates its turns, each once although sent twice', async () => {
  expect(await threads()).toEqual([
    {
      thread_id: 'alpha',
      turn_count: 3,
      start_time: '2026-04-01T00:00:00.000000Z',
      last_updated: '2026-04-01T00:00:13.000000Z',
      first_turn_id: 'a1',
      last_turn_id: 'a2',
      p50_turn_duration_ms: 2000,
      p99_turn_duration_ms: 2980,
    },
    {
      thread_id: 'beta',
      turn_count: 1,
      start_time: '2026-04-01T00:00:05.000000Z',
      last_updated: '2026-04-01T00:00:05.500000Z',
      first_turn_id: 'b1',
      last_turn_id: 'b1',
      p50_turn_duration_ms: 500,
      p99_turn_duration_ms: 500,
    },
  ])
})

test('threads are filtered by id, start and last update', async () => {
  expect(await names({ filter: { thread_ids: ['beta', 'nobody'] } })).toEqual(['beta'])
  expect(await names({ filter: { thread_ids: [] } })).toEqual(['alpha', 'beta'])
  expect(await names({ filter: { after_datetime: at(0) } })).toEqual(['beta'])
  expect(await names({ filter: { before_datetime: at(13) } })).toEqual(['beta'])
  expect(await names({ filter: { after_datetime: null, before_datetime: at(14) } })).toEqual([
    'alpha',
    'beta',
  ])
})

test('threads are sorted and paged', async () => {
  const by = (field: string, direction: string) => ({ sort_by: [{ field, direction }] })
  expect(await names(by('last_updated', 'asc'))).toEqual(['beta', 'alpha'])
  expect(await names(by('turn_count', 'desc'))).toEqual(['alpha', 'beta'])
  expect(await names(by('p50_turn_duration_ms', 'asc'))).toEqual(['beta', 'alpha'])
  expect(await names({ limit: 1, offset: 1 })).toEqual(['beta'])
})

test('invalid parameters are rejected', async () => {
  const status = async (extra: Json) =>
    (await server.send('/threads/stream_query', { project_id: PROJECT, ...extra })).status
  expect(await status({ sort_by: [{ field: 'id; DROP TABLE calls', direction: 'asc' }] })).toBe(422)
  expect(await status({ filter: { after_datetime: 'yesterday' } })).toBe(422)
  expect(await status({ limit: -1 })).toBe(422)
})
