import { beforeAll, describe, expect, test } from 'vitest'
import { parseJsonLines, type TestServer, useServer } from '../harness.ts'

/** Results of review queues as a file, agreement of their reviewers, and the download of tables. */

const server = useServer()
const project_id = 'org/review'
const path = `/api/v1/projects/${project_id}`

type Send = TestServer['send']
let ann: Send
let bob: Send
let queue: string

async function score(
  send: Send,
  call: string,
  name: string,
  value: string,
  project = project_id,
): Promise<void> {
  const weave_ref = `weave:///${project}/call/${call}`
  const body = `{"project_id":${JSON.stringify(project)},"weave_ref":${JSON.stringify(weave_ref)},
    "feedback_type":"wandb.annotation.${name}","annotation_ref":"weave:///${project}/object/${name}:abc",
    "payload":{"value":${value}}}`
  const response = await send('/feedback/create', body)
  if (response.status !== 200) throw new Error(response.text)
}

beforeAll(async () => {
  ann = server.as(await server.user('ann', { org: 'write' }))
  bob = server.as(await server.user('bob', { org: 'write' }))
  const calls = ['c1', 'c2', 'c3', 'c4', 'c5']
  for (const project of [project_id, 'org/other'])
    for (const id of calls)
      await server.post('/call/start', {
        start: { project_id: project, id, op_name: 'op', started_at: '2026-11-01T00:00:00Z' },
      })
  queue = (
    await server.post<{ id: string }>(`${path}/queues`, { name: 'Refunds & more', scores: ['ok', 'stars'] })
  ).id
  await server.post(`${path}/queues/${queue}/items`, { call_ids: calls })
  await score(ann, 'c1', 'ok', 'false')
  // The newest value of a reviewer counts.
  await score(ann, 'c1', 'ok', 'true')
  await score(bob, 'c1', 'ok', 'true')
  await score(ann, 'c2', 'ok', 'true')
  await score(bob, 'c2', 'ok', 'false')
  await score(ann, 'c3', 'ok', 'false')
  await score(bob, 'c3', 'ok', 'false')
  await score(ann, 'c4', 'ok', 'false')
  await score(ann, 'c1', 'stars', '4.0')
  await score(bob, 'c1', 'stars', '4')
  await score(ann, 'c2', 'stars', '1')
  await score(bob, 'c2', 'stars', '2.50')
  // Not asked for in this queue, and of another project.
  await score(ann, 'c1', 'tone', '"kind"')
  await score(ann, 'c5', 'ok', 'true', 'org/other')
  const done = await ann(`${path}/queues/${queue}/items/c1/state`, { state: 'done' })
  if (done.status !== 200) throw new Error(done.text)
})

describe('results of a queue', () => {
  const results = (format: string, send: Send = ann) =>
    send(`${path}/queues/${queue}/results?format=${format}`)

  test('are one line per call, reviewer and score, in the order of the queue, with values as sent', async () => {
    const response = await results('jsonl')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="Refunds-more.jsonl"')
    const rows = parseJsonLines<Record<string, unknown>>(response.text)
    expect(rows.map((row) => [row['call_id'], row['score'], row['reviewer'], row['value']])).toEqual([
      ['c1', 'ok', 'ann', true],
      ['c1', 'ok', 'bob', true],
      ['c1', 'stars', 'ann', 4],
      ['c1', 'stars', 'bob', 4],
      ['c2', 'ok', 'ann', true],
      ['c2', 'ok', 'bob', false],
      ['c2', 'stars', 'ann', 1],
      ['c2', 'stars', 'bob', 2.5],
      ['c3', 'ok', 'ann', false],
      ['c3', 'ok', 'bob', false],
      ['c4', 'ok', 'ann', false],
      ['c5', null, null, null],
    ])
    expect(rows[0]).toMatchObject({
      state: 'done',
      done_by: 'ann',
      annotation_ref: `weave:///${project_id}/object/ok:abc`,
    })
    expect(rows.at(-1)).toMatchObject({ state: 'open', done_by: null })
    expect(response.text).toContain('"value":4.0')
    expect(response.text).toContain('"value":2.50')
  })

  test('as CSV begin with the names of the columns', async () => {
    const lines = (await results('csv')).text.split('\n')
    expect(lines[0]).toBe(
      '"call_id","state","done_by","done_at","score","reviewer","value","scored_at","annotation_ref"',
    )
    expect(lines[1]).toMatch(/^"c1","done","ann","[^"]+Z","ok","ann",true,"[^"]+Z","weave/)
    expect(lines).toHaveLength(14)
  })

  test('need the role read in the project of the queue', async () => {
    const outsider = server.as(await server.user('outsider', { 'else/where': 'admin' }))
    expect((await results('csv', outsider)).status).toBe(403)
    expect((await outsider(`${path}/queues/${queue}/agreement`)).status).toBe(403)
    // The id of the queue is of no use in another project.
    expect((await ann(`/api/v1/projects/org/other/queues/${queue}/results`)).status).toBe(404)
    expect((await ann(`/api/v1/projects/org/other/queues/${queue}/agreement`)).status).toBe(404)
  })
})

test('agreement counts calls with two reviewers: equal values, and equal values beyond chance', async () => {
  const { json } = await ann(`${path}/queues/${queue}/agreement`)
  const number = expect.any(Number) as unknown
  expect(json).toEqual({
    scores: [
      {
        score: 'ok',
        level: 'nominal',
        items: 3,
        reviewers: 2,
        percent_agreement: expect.closeTo(2 / 3) as unknown,
        krippendorff_alpha: expect.closeTo(1 - (5 * 2) / 18) as unknown,
        cohen_kappa: expect.closeTo(0.4) as unknown,
      },
      {
        score: 'stars',
        level: 'interval',
        items: 2,
        reviewers: 2,
        percent_agreement: 0.5,
        krippendorff_alpha: number,
        cohen_kappa: null,
      },
    ],
  })
})

describe('download of a table', () => {
  test('as JSONL has the rows as stored, as CSV a column for each member', async () => {
    const rows = '[{"q":"=1+1","n":1.0},{"n":2,"answer":{"a":[1,2]}},{"q":null,"z":"ü"},{"q":"=1+1","n":1.0}]'
    const { digest } = (await ann('/table/create', `{"table":{"project_id":"${project_id}","rows":${rows}}}`))
      .json
    const download = (format: string, send: Send = ann) =>
      send(`${path}/tables/${String(digest)}/export?format=${format}&name=my+rows`)
    const jsonl = await download('jsonl')
    expect(jsonl.text).toBe(
      '{"q":"=1+1","n":1.0}\n{"n":2,"answer":{"a":[1,2]}}\n{"q":null,"z":"ü"}\n{"q":"=1+1","n":1.0}\n',
    )
    expect(jsonl.headers.get('content-disposition')).toBe('attachment; filename="my-rows.jsonl"')
    expect((await download('csv')).text).toBe(
      `"q","n","answer","z"\n"'=1+1","1.0",,\n,2,"{""a"":[1,2]}",\n,,,"ü"\n"'=1+1","1.0",,\n`,
    )
    expect((await download('parquet')).text.slice(0, 4)).toBe('PAR1')
    const outsider = server.as(await server.user('stranger'))
    expect((await download('csv', outsider)).status).toBe(403)
    expect((await ann(`/api/v1/projects/org/other/tables/${String(digest)}/export`)).status).toBe(404)
  })

  test('of an empty table is empty', async () => {
    const { digest } = (await ann('/table/create', { table: { project_id, rows: [] } })).json
    expect((await ann(`${path}/tables/${String(digest)}/export?format=jsonl`)).text).toBe('')
  })
})
