import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { followProject } from '../../src/client/live.ts'
import { uuidv7 } from '../../src/core/time/ids.ts'
import { readCursor, writeCursor } from '../../src/core/live/live-cursor.ts'
import { formatTime } from '../../src/core/time/time.ts'
import { createKey, revokeKey } from '../../src/service/access/keys.ts'
import { basic, startTestServer, type TestServer, useServer } from '../harness.ts'
import { type LiveQuery, type LiveStream, openStream, told } from '../live-stream.ts'

const server = useServer()
let other: TestServer
const open: LiveStream[] = []

beforeAll(async () => {
  // A second node on the same store.
  const { name } = server.heddle.deps.db
  other = await startTestServer({ clickhouseDatabase: name })
  return async () => {
    await other.heddle.stop()
  }
})

afterEach(async () => {
  for (const stream of open.splice(0)) await stream.close()
})

interface Here {
  readonly project_id: string
  readonly follow: (query?: LiveQuery, at?: TestServer) => Promise<LiveStream>
}

let serial = 0

/** A project of its own for each test. */
function here(): Here {
  const project_id = `acme/live-${serial++}`
  return {
    project_id,
    follow: async (query = {}, at = server) => {
      const place = { url: at.url, authorization: server.authorization, project_id }
      const stream = await openStream(place, query)
      open.push(stream)
      return stream
    },
  }
}

const now = (): string => formatTime(server.heddle.deps.now())
const start = (project_id: string, id: string, more: object = {}) => ({
  start: { project_id, id, trace_id: `trace-${id}`, op_name: 'answer', started_at: T0, ...more },
})
const end = (project_id: string, id: string, more: object = {}) => ({
  end: { project_id, id, ended_at: T1, summary: {}, ...more },
})
const complete = (project_id: string, id: string, more: object = {}) => ({
  project_id,
  id,
  trace_id: `trace-${id}`,
  op_name: 'answer',
  started_at: T0,
  ended_at: T1,
  inputs: { secret: 'payload-canary' },
  output: 'payload-canary',
  summary: {},
  ...more,
})
const T0 = now0(-2_000_000n)
const T1 = now0(-1_000_000n)

function now0(offset: bigint): string {
  return formatTime(BigInt(Date.now()) * 1000n + offset)
}

async function completed(project_id: string, ids: readonly string[], at: TestServer = server): Promise<void> {
  await at.post(`/v2/${project_id}/calls/complete`, { batch: ids.map((id) => complete(project_id, id)) })
}

describe('what is told', () => {
  test('a start and an end, once they are stored, at every node, without payloads', async () => {
    const { project_id, follow } = here()
    const streams = [await follow(), await follow({}, other)]
    await server.post('/call/start', start(project_id, 'a', { inputs: { secret: 'payload-canary' } }))
    await other.post(
      '/call/end',
      end(project_id, 'a', { output: 'payload-canary', exception: 'boom canary' }),
    )
    for (const stream of streams) {
      expect(await stream.told(2)).toEqual(['start a', 'end a'])
      const [ready, started, ended] = stream.events
      expect(ready).toEqual({ kind: 'ready', cursor: expect.any(String) })
      const call = {
        cursor: expect.any(String),
        id: 'a',
        trace_id: 'trace-a',
        parent_id: null,
        thread_id: null,
        op_name: 'answer',
        display_name: null,
        started_at: T0,
        ended_at: null,
        has_exception: false,
        wb_user_id: 'admin',
      }
      expect(started).toEqual({ kind: 'start', ...call })
      expect(ended).toEqual({ kind: 'end', ...call, ended_at: T1, has_exception: true })
      expect(JSON.stringify(stream.events)).not.toContain('canary')
    }
  })

  test('a complete record as a start and an end, in that order', async () => {
    const { project_id, follow } = here()
    const stream = await follow()
    await completed(project_id, ['a', 'b'])
    expect(await stream.told(4)).toEqual(['start a', 'end a', 'start b', 'end b'])
  })

  test('a record that is sent again, to any node, in any order and company, not again', async () => {
    const { project_id, follow } = here()
    const stream = await follow()
    await server.post('/call/start', start(project_id, 'a'))
    await other.post('/call/end', end(project_id, 'a'))
    await completed(project_id, ['b'])
    for (const node of [other, server, other]) {
      await node.post('/call/start', start(project_id, 'a'))
      await node.post('/call/end', end(project_id, 'a'))
      await completed(project_id, ['b', `c${node === other ? 1 : 2}`], node)
    }
    await Promise.all([server, other, server, other].map((node) => completed(project_id, ['d'], node)))
    const all = await stream.told(10)
    expect(all.toSorted()).toEqual(
      ['a', 'b', 'c1', 'c2', 'd'].flatMap((id) => [`end ${id}`, `start ${id}`]).toSorted(),
    )
  })

  test('an end that comes before its start, after it', async () => {
    const { project_id, follow } = here()
    const stream = await follow()
    await server.post('/call/end', end(project_id, 'a'))
    await other.post('/call/start', start(project_id, 'a'))
    expect(await stream.told(2)).toEqual(['start a', 'end a'])
  })

  test('a second end that counts, as an update; one that does not count, not at all', async () => {
    const { project_id, follow } = here()
    const stream = await follow()
    await server.post('/call/start', start(project_id, 'a'))
    await server.post('/call/end', end(project_id, 'a', { output: 1 }))
    await server.post('/call/end', end(project_id, 'a', { output: 2, ended_at: T0 }))
    await other.post('/call/end', end(project_id, 'a', { output: 3, ended_at: now() }))
    expect(await stream.told(3)).toEqual(['start a', 'end a', 'update a'])
  })

  test('a new name as an update and a deletion, each once', async () => {
    const { project_id, follow } = here()
    const stream = await follow()
    await completed(project_id, ['a'])
    await server.post('/call/update', { project_id, call_id: 'a', display_name: 'Ann' })
    await server.post('/calls/delete', { project_id, call_ids: ['a'] })
    await other.post('/calls/delete', { project_id, call_ids: ['a'] })
    await completed(project_id, ['a'])
    expect(await stream.told(4)).toEqual(['start a', 'end a', 'update a', 'delete a'])
    expect(stream.events[3]).toMatchObject({ display_name: 'Ann' })
  })

  test('feedback created, replaced and purged', async () => {
    const { project_id, follow } = here()
    const stream = await follow()
    const weave_ref = `weave:///${project_id}/call/a`
    const body = { project_id, weave_ref, feedback_type: 'custom', payload: { note: 'payload-canary' } }
    await server.post('/feedback/create', { ...body, id: 'f' })
    await other.post('/feedback/create', { ...body, id: 'f' })
    await other.post('/feedback/replace', { ...body, feedback_id: 'f', payload: { note: 'other' } })
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'f' }] } }
    await server.post('/feedback/purge', { project_id, query })
    expect(await stream.told(3)).toEqual(['feedback created f', 'feedback replaced f', 'feedback purged f'])
    expect(stream.events[1]).toEqual({
      kind: 'feedback',
      cursor: expect.any(String),
      id: 'f',
      action: 'created',
      feedback_type: 'custom',
      weave_ref,
      wb_user_id: 'admin',
    })
    expect(JSON.stringify(stream.events)).not.toContain('canary')
  })

  test('only the kinds, the trace and the op that were asked for', async () => {
    const { project_id, follow } = here()
    const [ends, trace, op, ref] = [
      await follow({ kinds: ['end', 'delete'] }),
      await follow({ trace_id: 'trace-b' }),
      await follow({ op_name: 'other' }),
      await follow({ op_name: 'named' }),
    ]
    await completed(project_id, ['a', 'b'])
    await server.post('/call/start', start(project_id, 'c', { op_name: 'other' }))
    const op_name = `weave:///${project_id}/op/named:v0`
    await server.post('/call/start', start(project_id, 'd', { op_name }))
    expect(await ends.told(2)).toEqual(['end a', 'end b'])
    expect(await trace.told(2)).toEqual(['start b', 'end b'])
    expect(await op.told(1)).toEqual(['start c'])
    expect(await ref.told(1)).toEqual(['start d'])
  })

  test('a call that began before the log did: its end, and no second start', async () => {
    const { project_id, follow } = here()
    const { db } = server.heddle.deps
    const started_at = now0(-40n * 3_600_000_000n)
    const late = start(project_id, 'late', { started_at })
    const done = start(project_id, 'done', { started_at })
    for (const call of [late, done]) await server.post('/call/start', call)
    await server.post('/call/end', end(project_id, 'done', { ended_at: started_at }))
    await db.ddl(`ALTER TABLE live_log DELETE WHERE project_id = '${project_id}' SETTINGS mutations_sync = 1`)
    const stream = await follow()
    // Not in any memory: the other node has never heard of it.
    await other.post('/call/end', end(project_id, 'late'))
    await other.post('/call/update', { project_id, call_id: 'done', display_name: 'new' })
    expect(await stream.told(2)).toEqual(['end late', 'update done'])
  })
})

describe('going on', () => {
  test('from the cursor of any event, between the start and the end of one record too', async () => {
    const { project_id, follow } = here()
    const stream = await follow()
    await completed(project_id, ['a', 'b', 'c'])
    await server.post('/call/start', start(project_id, 'd'))
    const all = await stream.told(7)
    expect(all).toHaveLength(7)
    for (const [i, { cursor }] of stream.events.entries()) {
      const again = await follow({ cursor, follow: false }, i % 2 === 0 ? other : server)
      await again.ended
      expect(again.events.slice(1).map(told)).toEqual(all.slice(i))
    }
  })

  test('from the first event on, which comes before anything has happened', async () => {
    const { project_id, follow } = here()
    await completed(project_id, ['before'])
    const cut = await follow()
    await cut.close()
    await completed(project_id, ['missed'])
    const again = await follow({ cursor: cut.cursor }, other)
    await completed(project_id, ['seen'])
    expect(await again.told(4)).toEqual(['start missed', 'end missed', 'start seen', 'end seen'])
  })

  test('by the header Last-Event-ID, before the cursor of the URL', async () => {
    const { project_id, follow } = here()
    const stream = await follow()
    await completed(project_id, ['a', 'b'])
    await stream.told(4)
    const path = `/api/v1/projects/${project_id}/live?follow=false&cursor=${stream.events[0]!.cursor}`
    const whole = await server.send(path)
    const rest = await server.send(path, undefined, {
      headers: { 'last-event-id': stream.events[3]!.cursor },
    })
    expect(whole.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(whole.text.match(/^event: \w+/gm)).toHaveLength(5)
    expect(rest.text).toBe(
      `event: ready\nid: ${stream.events[3]!.cursor}\ndata: ${JSON.stringify({ kind: 'ready', cursor: stream.events[3]!.cursor })}\n\n` +
        `event: end\nid: ${stream.cursor}\ndata: ${JSON.stringify(stream.events[4])}\n\n`,
    )
  })

  test('says so when the cursor is older than what is kept, and goes on from now', async () => {
    const { project_id, follow } = here()
    const stream = await follow()
    await completed(project_id, ['a'])
    await stream.told(2)
    const cursor = writeCursor({ ...readCursor(stream.cursor), at: 1_700_000_000_000_000n })
    const again = await follow({ cursor })
    expect(again.events[0]).toEqual({
      kind: 'reset',
      cursor: expect.any(String),
      reason: expect.stringContaining('read again'),
    })
    await completed(project_id, ['b'])
    expect(await again.told(2)).toEqual(['start b', 'end b'])
  })

  test('across merges, which move every row', async () => {
    const { project_id, follow } = here()
    const stream = await follow()
    const { db } = server.heddle.deps
    const ids = Array.from({ length: 30 }, () => uuidv7(server.heddle.deps.now()))
    for (const id of ids) await completed(project_id, [id, randomUUID()])
    const all = await stream.told(120)
    expect(new Set(all).size).toBe(120)
    await db.ddl('OPTIMIZE TABLE live_log FINAL')
    const again = await follow({ cursor: stream.events[41]!.cursor, follow: false })
    await again.ended
    expect(again.events.slice(1)).toEqual(stream.events.slice(42))
  })

  test('with a time to settle, as replicated tables need it: the same events, later', async () => {
    const { project_id, follow } = here()
    const settling = await startTestServer({
      clickhouseDatabase: server.heddle.deps.db.name,
      liveDelayMs: 700,
    })
    const stream = await follow({}, settling)
    await completed(project_id, ['a'])
    await completed(project_id, ['a', 'b'], other)
    const all = await stream.told(4)
    expect(all.toSorted()).toEqual(['end a', 'end b', 'start a', 'start b'])
    const again = await follow({ cursor: stream.events[2]!.cursor, follow: false }, settling)
    await again.ended
    expect(again.events.slice(1)).toEqual(stream.events.slice(3))
    await settling.heddle.stop()
  })

  test('the typed client goes on by itself, at another node when one stops', async () => {
    const { project_id } = here()
    const third = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
    const [entity = '', project = ''] = project_id.split('/')
    const over = new AbortController()
    let tries = 0
    const client = () =>
      createClient({ url: (tries++ === 0 ? third : other).url, authorization: server.authorization })
    const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
    const heard: string[] = []
    for await (const event of followProject(client, { entity, project }, { wait, signal: over.signal })) {
      heard.push(told(event))
      if (event.kind === 'ready') await completed(project_id, ['a'])
      if (heard.length === 3) {
        await third.heddle.stop()
        await completed(project_id, ['b'])
      }
      if (heard.length === 5) over.abort()
    }
    expect(heard).toEqual(['ready', 'start a', 'end a', 'start b', 'end b'])
    expect(tries).toBeGreaterThan(1)
  })

  test('a stream that waits for nothing ends when the server does, so that it can stop', async () => {
    const { project_id } = here()
    const third = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
    const stream = await openStream({ url: third.url, authorization: server.authorization, project_id })
    third.heddle.setDraining()
    await stream.ended
    const refused = await third.send(`/api/v1/projects/${project_id}/live`)
    expect([refused.status, refused.json['code']]).toEqual([503, 'unavailable'])
    await third.heddle.stop()
  })
})

describe('who may', () => {
  test('nothing of another project is told, whoever follows', async () => {
    const mine = here()
    const theirs = here()
    const stream = await mine.follow()
    await completed(theirs.project_id, ['goldfinch'])
    await completed(mine.project_id, ['sparrow'])
    expect(await stream.told(2)).toEqual(['start sparrow', 'end sparrow'])
    // A cursor is a place in the log and no right to it.
    const hers = await theirs.follow()
    const again = await mine.follow({ cursor: hers.cursor, follow: false })
    await again.ended
    expect(JSON.stringify(again.events)).not.toContain('goldfinch')
  })

  test('a key that is revoked ends its stream within 30 s', { timeout: 60_000 }, async () => {
    const { project_id } = here()
    await completed(project_id, ['a'])
    const { deps, access } = server.heddle
    await server.user('eve', { [project_id]: 'read' })
    const { key, key_id } = await createKey(deps, 'eve')
    access.forget()
    const place = { url: server.url, authorization: basic('api', key), project_id }
    const stream = await openStream(place)
    open.push(stream)
    // At another node: this one has to notice by itself.
    await revokeKey(other.heddle.deps, key_id)
    const began = performance.now()
    await stream.ended
    expect(performance.now() - began).toBeLessThan(30_000)
    await expect(openStream(place)).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})
