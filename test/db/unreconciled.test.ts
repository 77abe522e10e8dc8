import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/core/time/time.ts'
import { CALL_COLUMNS } from '../../src/store/calls/columns/call-columns.ts'
import { RecordEncoder } from '../../src/store/calls/write/record-encoder.ts'
import { writeCallRow } from '../../src/store/calls/write/call-rows.ts'
import { repairWritten } from '../../src/store/calls/write/unreconciled.ts'
import { Database } from '../../src/store/database/database.ts'
import { RowWriter } from '../../src/store/database/row-binary.ts'
import { recordSweep } from '../../src/store/calls/write/sweeper.ts'
import { CALLS_SWEEP } from '../../src/store/cluster/sweepers.ts'
import { deleteRows, fromAllVersions } from '../../src/store/query/scope.ts'
import { sql } from '../../src/store/query/sql.ts'
import { startTestServer, testDatabase, type TestServer, testSettings, useServer } from '../harness.ts'
import { type LiveStream, openStream } from '../live-stream.ts'
import { waitUntil } from '../wait-until.ts'
import { recentPeriod } from './recent-period.ts'

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
async function insertWithoutCheck(
  project_id: string,
  id: string,
  op_name = 'op',
  { heddle }: TestServer = server,
): Promise<void> {
  const { db, newId, callWriter } = heddle.deps
  const encoder = new RecordEncoder({
    sent_by: 'admin',
    now: systemClock(),
    newId,
    clock: callWriter.clock,
    columns: callWriter.columns,
  })
  const rows = new RowWriter()
  writeCallRow(rows, callWriter.columns, encoder.start({ ...start(project_id, id), op_name }).facts, 0n)
  await db.insertBinary('calls', CALL_COLUMNS, [rows.take()])
}

/** Inserts it as a ClickHouse does that is killed before the rows of the views. */
async function insertWithoutViews(project_id: string, id: string, at: TestServer = server): Promise<void> {
  const views = ['call_ids_from_calls', 'live_log_from_calls']
  for (const view of views) await at.heddle.deps.db.ddl(`DETACH TABLE ${view}`)
  await insertWithoutCheck(project_id, id, 'op', at)
  for (const view of views) await at.heddle.deps.db.ddl(`ATTACH TABLE ${view}`)
}

async function outputs(project_id: string, at: TestServer = server): Promise<unknown[]> {
  const { calls } = await at.post<{ calls: { output: unknown }[] }>('/calls/query', { project_id })
  return calls.map((call) => call.output)
}

const sweep = (): Promise<number> => {
  const { db, callWriter } = server.heddle.deps
  return repairWritten(db, callWriter, recentPeriod())
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
    const project_id = 'acme/torn'
    await insertWithoutViews(project_id, 'f')
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

const open: LiveStream[] = []

afterEach(async () => {
  for (const stream of open.splice(0)) await stream.close()
})

async function follow(project_id: string, cursor?: string, at: TestServer = server): Promise<LiveStream> {
  const target = { url: at.url, authorization: at.authorization, project_id }
  const stream = await openStream(target, cursor === undefined ? {} : { cursor })
  open.push(stream)
  return stream
}

describe('the live feed shows calls whose insert ended before the views', () => {
  test('each once, to those who follow and to those who resume', async () => {
    const project_id = 'acme/torn-live'
    const following = await follow(project_id)
    await insertWithoutViews(project_id, 'g')
    expect(await following.waitForEvents(0)).toEqual([])
    await sweep()
    await sweep()
    expect(await following.waitForEvents(1)).toEqual(['start g'])
    await server.post('/call/end', { end: end(project_id, 'g') })
    await sweep()
    expect(await following.waitForEvents(2)).toEqual(['start g', 'end g'])
    const resumed = await follow(project_id, following.events[0]?.cursor)
    expect(await resumed.waitForEvents(2)).toEqual(['start g', 'end g'])
  })

  test('not again if they were resent and logged in the meantime', async () => {
    const project_id = 'acme/torn-resent'
    const following = await follow(project_id)
    await insertWithoutViews(project_id, 'h')
    await server.post('/call/start', { start: start(project_id, 'h') })
    expect(await following.waitForEvents(1)).toEqual(['start h'])
    await sweep()
    expect(await following.waitForEvents(1)).toEqual(['start h'])
  })

  test('a row that is logged again equals that of the view, and is logged once', async () => {
    const { db } = server.heddle.deps
    const project_id = 'acme/torn-row'
    // A merge may have removed older rows of a call.
    const newest = sql`SELECT * EXCEPT logged_at, count() OVER (PARTITION BY id, version) AS times
${fromAllVersions(project_id, 'live_log')} ORDER BY id, version DESC LIMIT 1 BY id`
    const logged = () => db.rows(newest, { name: 'test', kind: 'scan' })
    const more = { trace_id: 't', parent_id: 'p', thread_id: 'th', display_name: 'shown' }
    const batch = [{ ...start(project_id, 'i'), ...end(project_id, 'i'), ...more, exception: 'failed' }]
    await server.post(`/v2/${project_id}/calls/complete`, { batch })
    await server.post('/call/start', { start: start(project_id, 'j') })
    await server.post('/call/start', { start: start(project_id, 'k') })
    await server.post('/calls/delete', { project_id, call_ids: ['k'] })
    const before = await logged()
    expect(before).toMatchObject([{ is_deleted: 0 }, { is_deleted: 0 }, { is_deleted: 1 }])
    await sweep()
    expect(await logged()).toEqual(before)
    await db.command(deleteRows(project_id, 'live_log'), 'as if ClickHouse was killed')
    await sweep()
    await sweep()
    expect(await logged()).toEqual(before)
  })
})

/** Two hours later, as far as ClickHouse can tell. */
async function waitTwoHours(db: Database, isRecorded: boolean): Promise<void> {
  await db.command(
    sql`ALTER TABLE calls UPDATE inserted_at = inserted_at - INTERVAL 2 HOUR WHERE 1`,
    'as if it was stored before',
  )
  await db.command(sql`TRUNCATE TABLE job_runs`, 'as if no sweep was made')
  if (isRecorded) await recordSweep(db, CALLS_SWEEP, systemClock() - 125n * 60_000_000n)
}

test.each([
  ['the last sweep was recorded before it', true],
  ['no sweep was ever recorded', false],
])('a start repairs what an outage of two hours left behind: %s', async (_name, isRecorded) => {
  const project_id = 'acme/outage'
  const before = await startTestServer()
  const clickhouseDatabase = before.heddle.deps.db.name
  const { cursor } = await follow(project_id, undefined, before)
  await insertWithoutViews(project_id, 'a', before)
  await before.post('/call/end', { end: end(project_id, 'a') })
  expect(await outputs(project_id, before)).toEqual([null])
  await before.heddle.stop()
  const db = new Database(testDatabase(testSettings({ clickhouseDatabase })))
  await waitTwoHours(db, isRecorded)
  await db.close()

  const after = await startTestServer({ clickhouseDatabase })
  await waitUntil(async () => (await outputs(project_id, after))[0] === 'done')
  const resumed = await follow(project_id, cursor, after)
  expect(await resumed.waitForEvents(2)).toEqual(['start a', 'end a'])
  expect(await outputs(project_id, after)).toEqual(['done'])
  await after.stop()
})
