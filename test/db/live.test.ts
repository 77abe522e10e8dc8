import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { followProject } from '../../src/client/live.ts'
import { uuidv7 } from '../../src/core/time/ids.ts'
import { readStreamCursor, SHARD_SEPARATOR, writeCursor } from '../../src/core/live/live-cursor.ts'
import { formatTime } from '../../src/core/time/time.ts'
import { createKey, revokeKey } from '../../src/service/access/keys.ts'
import { basic, startTestServer, type TestServer, useServer } from '../harness.ts'
import { type LiveQuery, type LiveStream, openStream, eventSummary, inStoredOrder } from '../live-stream.ts'
import { assertsDuration } from '../duration.ts'
import { projectPath } from '../project-path.ts'

const server = useServer()
let other: TestServer
const open: LiveStream[] = []

beforeAll(async () => {
  // A second node on the same database.
  const { name } = server.heddle.deps.db
  other = await startTestServer({ clickhouseDatabase: name })
  return async () => {
    await other.heddle.stop()
  }
})

afterEach(async () => {
  for (const stream of open.splice(0)) await stream.close()
})

interface LiveProject {
  readonly project_id: string
  readonly follow: (query?: LiveQuery, at?: TestServer) => Promise<LiveStream>
}

let serial = 0

/** A separate project for each test. */
function newProject(): LiveProject {
  const project_id = `acme/live-${serial++}`
  return {
    project_id,
    follow: async (query = {}, at = server) => {
      const target = { url: at.url, authorization: server.authorization, project_id }
      const stream = await openStream(target, query)
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
const T0 = timeFromNow(-2_000_000n)
const T1 = timeFromNow(-1_000_000n)

function timeFromNow(offset: bigint): string {
  return formatTime(BigInt(Date.now()) * 1000n + offset)
}

async function writeCompleted(
  project_id: string,
  ids: readonly string[],
  at: TestServer = server,
): Promise<void> {
  await at.post(`/v2/${project_id}/calls/complete`, { batch: ids.map((id) => complete(project_id, id)) })
}

describe('events', () => {
  test('a stored start and end are sent by every node, without payloads', async () => {
    const { project_id, follow } = newProject()
    const streams = [await follow(), await follow({}, other)]
    await server.post('/call/start', start(project_id, 'a', { inputs: { secret: 'payload-canary' } }))
    await other.post(
      '/call/end',
      end(project_id, 'a', { output: 'payload-canary', exception: 'boom canary' }),
    )
    for (const stream of streams) {
      expect(await stream.waitForEvents(2)).toEqual(['start a', 'end a'])
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

  test('a complete record is a start event, then an end event', async () => {
    const { project_id, follow } = newProject()
    const stream = await follow()
    await writeCompleted(project_id, ['a', 'b'])
    expect(inStoredOrder(await stream.waitForEvents(4))).toEqual(
      inStoredOrder(['start a', 'end a', 'start b', 'end b']),
    )
  })

  test('a record sent again to any node, in any order or batch, causes no second event', async () => {
    const { project_id, follow } = newProject()
    const stream = await follow()
    await server.post('/call/start', start(project_id, 'a'))
    await other.post('/call/end', end(project_id, 'a'))
    await writeCompleted(project_id, ['b'])
    for (const node of [other, server, other]) {
      await node.post('/call/start', start(project_id, 'a'))
      await node.post('/call/end', end(project_id, 'a'))
      await writeCompleted(project_id, ['b', `c${node === other ? 1 : 2}`], node)
    }
    await Promise.all([server, other, server, other].map((node) => writeCompleted(project_id, ['d'], node)))
    const all = await stream.waitForEvents(10)
    expect(all.toSorted()).toEqual(
      ['a', 'b', 'c1', 'c2', 'd'].flatMap((id) => [`end ${id}`, `start ${id}`]).toSorted(),
    )
  })

  test('the end event follows the start event although the end was written first', async () => {
    const { project_id, follow } = newProject()
    const stream = await follow()
    await server.post('/call/end', end(project_id, 'a'))
    await other.post('/call/start', start(project_id, 'a'))
    expect(await stream.waitForEvents(2)).toEqual(['start a', 'end a'])
  })

  test('a different end is an update event, whatever its time; the same one again causes no event', async () => {
    const { project_id, follow } = newProject()
    const stream = await follow()
    await server.post('/call/start', start(project_id, 'a'))
    await server.post('/call/end', end(project_id, 'a', { output: 1 }))
    await server.post('/call/end', end(project_id, 'a', { output: 2, ended_at: T0 }))
    const last = end(project_id, 'a', { output: 3, ended_at: now() })
    await other.post('/call/end', last)
    await server.post('/call/end', last)
    await server.post('/call/start', start(project_id, 'b'))
    expect(inStoredOrder(await stream.waitForEvents(5))).toEqual(
      inStoredOrder(['start a', 'end a', 'update a', 'update a', 'start b']),
    )
  })

  test('a rename is an update event and a deletion a delete event, each once', async () => {
    const { project_id, follow } = newProject()
    const stream = await follow()
    await writeCompleted(project_id, ['a'])
    await server.post('/call/update', { project_id, call_id: 'a', display_name: 'Ann' })
    await server.post('/calls/delete', { project_id, call_ids: ['a'] })
    await other.post('/calls/delete', { project_id, call_ids: ['a'] })
    await writeCompleted(project_id, ['a'])
    expect(await stream.waitForEvents(4)).toEqual(['start a', 'end a', 'update a', 'delete a'])
    expect(stream.events[3]).toMatchObject({ display_name: 'Ann' })
  })

  test('creating, replacing and purging feedback are events', async () => {
    const { project_id, follow } = newProject()
    const stream = await follow()
    const weave_ref = `weave:///${project_id}/call/a`
    const body = { project_id, weave_ref, feedback_type: 'custom', payload: { note: 'payload-canary' } }
    await server.post('/feedback/create', { ...body, id: 'f' })
    await other.post('/feedback/create', { ...body, id: 'f' })
    await other.post('/feedback/replace', { ...body, feedback_id: 'f', payload: { note: 'other' } })
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'f' }] } }
    await server.post('/feedback/purge', { project_id, query })
    expect(await stream.waitForEvents(3)).toEqual([
      'feedback created f',
      'feedback replaced f',
      'feedback purged f',
    ])
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

  test('a stream has only the requested kinds, trace and op', async () => {
    const { project_id, follow } = newProject()
    const [ends, trace, op, ref] = [
      await follow({ kinds: ['end', 'delete'] }),
      await follow({ trace_id: 'trace-b' }),
      await follow({ op_name: 'other' }),
      await follow({ op_name: 'named' }),
    ]
    await writeCompleted(project_id, ['a', 'b'])
    await server.post('/call/start', start(project_id, 'c', { op_name: 'other' }))
    const op_name = `weave:///${project_id}/op/named:v0`
    await server.post('/call/start', start(project_id, 'd', { op_name }))
    expect(inStoredOrder(await ends.waitForEvents(2))).toEqual(inStoredOrder(['end a', 'end b']))
    expect(await trace.waitForEvents(2)).toEqual(['start b', 'end b'])
    expect(await op.waitForEvents(1)).toEqual(['start c'])
    expect(await ref.waitForEvents(1)).toEqual(['start d'])
  })

  test('a call that started before the retained log has an end event, and no second start event', async () => {
    const { project_id, follow } = newProject()
    const { db } = server.heddle.deps
    const started_at = timeFromNow(-40n * 3_600_000_000n)
    const late = start(project_id, 'late', { started_at })
    const done = start(project_id, 'done', { started_at })
    for (const call of [late, done]) await server.post('/call/start', call)
    await server.post('/call/end', end(project_id, 'done', { ended_at: started_at }))
    await db.ddl(`ALTER TABLE live_log DELETE WHERE project_id = '${project_id}' SETTINGS mutations_sync = 1`)
    const stream = await follow()
    // Not cached anywhere: the other node has not seen the call.
    await other.post('/call/end', end(project_id, 'late'))
    await other.post('/call/update', { project_id, call_id: 'done', display_name: 'new' })
    expect(inStoredOrder(await stream.waitForEvents(2))).toEqual(inStoredOrder(['end late', 'update done']))
  })
})

describe('resuming', () => {
  test('continues after the cursor of any event, also between the start and the end of one record', async () => {
    const { project_id, follow } = newProject()
    const stream = await follow()
    await writeCompleted(project_id, ['a', 'b', 'c'])
    await server.post('/call/start', start(project_id, 'd'))
    const all = await stream.waitForEvents(7)
    expect(all).toHaveLength(7)
    for (const [i, { cursor }] of stream.events.entries()) {
      const again = await follow({ cursor, follow: false }, i % 2 === 0 ? other : server)
      await again.ended
      const rest = again.events.slice(1).map(eventSummary)
      expect(inStoredOrder(rest)).toEqual(inStoredOrder(all.slice(i)))
    }
  })

  test('continues after the cursor of the ready event', async () => {
    const { project_id, follow } = newProject()
    await writeCompleted(project_id, ['before'])
    const cut = await follow()
    await cut.close()
    await writeCompleted(project_id, ['missed'])
    const again = await follow({ cursor: cut.cursor }, other)
    await writeCompleted(project_id, ['seen'])
    expect(inStoredOrder(await again.waitForEvents(4))).toEqual(
      inStoredOrder(['start missed', 'end missed', 'start seen', 'end seen']),
    )
  })

  test('the Last-Event-ID header takes precedence over the cursor in the URL', async () => {
    const { project_id, follow } = newProject()
    const stream = await follow()
    await writeCompleted(project_id, ['a', 'b'])
    await stream.waitForEvents(4)
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

  test('a cursor older than the retained log gets a reset event, and the stream continues from now', async () => {
    const { project_id, follow } = newProject()
    const stream = await follow()
    await writeCompleted(project_id, ['a'])
    await stream.waitForEvents(2)
    const cursor = readStreamCursor(stream.cursor)
      .map((each) => writeCursor({ ...each, at: 1_700_000_000_000_000n }))
      .join(SHARD_SEPARATOR)
    const again = await follow({ cursor })
    expect(again.events[0]).toEqual({
      kind: 'reset',
      cursor: expect.any(String),
      reason: expect.stringContaining('reload your data'),
    })
    await writeCompleted(project_id, ['b'])
    expect(await again.waitForEvents(2)).toEqual(['start b', 'end b'])
  })

  test('a cursor stays valid across merges, which move every row', async () => {
    const { project_id, follow } = newProject()
    const stream = await follow()
    const { db } = server.heddle.deps
    const ids = Array.from({ length: 30 }, () => uuidv7(server.heddle.deps.now()))
    for (const id of ids) await writeCompleted(project_id, [id, randomUUID()])
    const all = await stream.waitForEvents(120)
    expect(new Set(all).size).toBe(120)
    await db.ddl('OPTIMIZE TABLE live_log FINAL')
    const again = await follow({ cursor: stream.events[41]!.cursor, follow: false })
    await again.ended
    expect(inStoredOrder(again.events.slice(1).map(eventSummary))).toEqual(inStoredOrder(all.slice(41)))
  })

  test('with a live delay, as replicated tables need, the same events arrive later', async () => {
    const { project_id, follow } = newProject()
    const delayed = await startTestServer({
      clickhouseDatabase: server.heddle.deps.db.name,
      liveDelayMs: 700,
    })
    const stream = await follow({}, delayed)
    await writeCompleted(project_id, ['a'])
    await writeCompleted(project_id, ['a', 'b'], other)
    const all = await stream.waitForEvents(4)
    expect(all.toSorted()).toEqual(['end a', 'end b', 'start a', 'start b'])
    const again = await follow({ cursor: stream.events[2]!.cursor, follow: false }, delayed)
    await again.ended
    expect(inStoredOrder(again.events.slice(1).map(eventSummary))).toEqual(inStoredOrder(all.slice(2)))
    await delayed.heddle.stop()
  })

  test('the typed client reconnects to another node when its node stops', async () => {
    const { project_id } = newProject()
    const third = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
    const abort = new AbortController()
    let attempts = 0
    const client = () =>
      createClient({ url: (attempts++ === 0 ? third : other).url, authorization: server.authorization })
    const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
    const received: string[] = []
    for await (const event of followProject(client, projectPath(project_id), {
      wait,
      signal: abort.signal,
    })) {
      received.push(eventSummary(event))
      if (event.kind === 'ready') await writeCompleted(project_id, ['a'])
      if (received.length === 3) {
        await third.heddle.stop()
        await writeCompleted(project_id, ['b'])
      }
      if (received.length === 5) abort.abort()
    }
    expect(inStoredOrder(received)).toEqual(inStoredOrder(['ready', 'start a', 'end a', 'start b', 'end b']))
    expect(attempts).toBeGreaterThan(1)
  })

  test('an idle stream ends when the server is draining', async () => {
    const { project_id } = newProject()
    const third = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
    const stream = await openStream({ url: third.url, authorization: server.authorization, project_id })
    third.heddle.setDraining()
    await stream.ended
    const rejected = await third.send(`/api/v1/projects/${project_id}/live`)
    expect([rejected.status, rejected.json['code']]).toEqual([503, 'unavailable'])
    await third.heddle.stop()
  })
})

describe('authorization', () => {
  test('a stream has no events of another project', async () => {
    const mine = newProject()
    const theirs = newProject()
    const stream = await mine.follow()
    await writeCompleted(theirs.project_id, ['goldfinch'])
    await writeCompleted(mine.project_id, ['sparrow'])
    expect(await stream.waitForEvents(2)).toEqual(['start sparrow', 'end sparrow'])
    // A cursor is a position in the log; it grants no access.
    const theirStream = await theirs.follow()
    const again = await mine.follow({ cursor: theirStream.cursor, follow: false })
    await again.ended
    expect(JSON.stringify(again.events)).not.toContain('goldfinch')
  })

  test('revoking a key ends its streams within 30 s', { ...assertsDuration, timeout: 60_000 }, async () => {
    const { project_id } = newProject()
    await writeCompleted(project_id, ['a'])
    const { deps, access } = server.heddle
    await server.user('eve', { [project_id]: 'read' })
    const { key, key_id } = await createKey(deps, 'eve')
    access.invalidate()
    const target = { url: server.url, authorization: basic('api', key), project_id }
    const stream = await openStream(target)
    open.push(stream)
    // Revoked on another node: this node must notice it.
    await revokeKey(other.heddle.deps, key_id)
    const startedAt = performance.now()
    await stream.ended
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    await expect(openStream(target)).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})
