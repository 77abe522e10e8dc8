import { describe, expect, test } from 'vitest'
import { callId } from '../../src/otlp/call-id.ts'
import { identifier, sql } from '../../src/store/query/sql.ts'
import { projectNames, useServer } from '../harness.ts'

/** Links from rows of datasets to the calls that they were made from. */

const server = useServer()
const newProject = projectNames('acme/sources')

interface Source {
  readonly source_kind: string
  readonly source_id: string
  readonly source_trace_id: string
}

interface Link extends Source {
  readonly id: string
  readonly row_digest: string
  readonly updated_at: string
}

const STARTED = '2026-10-03T00:00:00.000001Z'

async function writeCall(project_id: string, id: string, trace_id = `trace-of-${id}`): Promise<Source> {
  const times = { started_at: STARTED, ended_at: '2026-10-03T00:00:01Z' }
  const call = { project_id, id, trace_id, op_name: 'answer', attributes: {}, inputs: {}, summary: {} }
  await server.post(`/v2/${project_id}/calls/complete`, { batch: [{ ...call, ...times, output: 1 }] })
  return { source_kind: 'call', source_id: id, source_trace_id: trace_id }
}

function request(project_id: string, rows: Readonly<Record<string, readonly Source[]>>, more: object = {}) {
  const links = Object.entries(rows).map(([row_digest, sources]) => ({ row_digest, sources, ...more }))
  return {
    project_id,
    dataset_object_id: 'questions',
    dataset_digest: 'abc',
    links,
    include_created_status: true,
  }
}

async function link(body: object): Promise<{ link_id: string; created: boolean | null }[]> {
  return (await server.post<{ entries: [] }>('/dataset_sources/link', body)).entries
}

async function list(project_id: string, body: object = {}): Promise<Link[]> {
  const query = { project_id, dataset_object_id: 'questions', ...body }
  return (await server.post<{ links: Link[] }>('/dataset_sources/query', query)).links
}

async function datasetsOf(project_id: string, sources: readonly Source[], body: object = {}) {
  const query = { project_id, sources, ...body }
  return (await server.post<{ memberships: object[] }>('/dataset_sources/source_datasets_query', query))
    .memberships
}

async function storedRows(project_id: string): Promise<number> {
  const row = await server.heddle.deps.db.first<{ n: string }>(
    sql`SELECT count() AS n FROM ${identifier('dataset_sources')} WHERE project_id = ${project_id}`,
    { name: 'test', kind: 'scan' },
  )
  return Number(row?.n)
}

test('a link is listed with its call, by dataset and by source', async () => {
  const project_id = newProject()
  const [one, two] = [await writeCall(project_id, 'one'), await writeCall(project_id, 'two')]
  const metadata = '{"n": 1.0, "note": "é"}'
  const body = JSON.stringify(request(project_id, { b: [one], a: [two, one] }, { link_metadata: '%' }))
  const entries = await link(JSON.parse(body.replaceAll('"%"', '{}')) as object)
  expect(entries.map(({ created }) => created)).toEqual([true, true, true])
  // The last of them again, with metadata in the spelling of the client.
  const exact = JSON.stringify(request(project_id, { a: [one] }, { link_metadata: '%' }))
  const sent = await server.send('/dataset_sources/link', Buffer.from(exact.replace('"%"', metadata)))
  expect([sent.status, sent.json]).toEqual([200, { entries: [{ ...entries[2], created: false }] }])
  const links = await list(project_id)
  expect(links.map(({ row_digest, source_id }) => [row_digest, source_id])).toEqual([
    ['a', 'one'],
    ['a', 'two'],
    ['b', 'one'],
  ])
  expect(links[0]).toEqual({
    id: entries[2]!.link_id,
    row_digest: 'a',
    ...one,
    source_started_at: STARTED,
    source_display_name: 'answer',
    link_metadata: { n: 1, note: 'é' },
    added_by: expect.any(String),
    created_at: expect.any(String),
    updated_at: expect.any(String),
    deleted_at: null,
  })
  const query = { project_id, dataset_object_id: 'questions', row_digests: ['a'], limit: 1 }
  expect((await server.send('/dataset_sources/query', query)).text).toContain(metadata)
  expect((await list(project_id, { limit: 1, offset: 1 })).map(({ id }) => id)).toEqual([entries[1]!.link_id])
  expect(await list(project_id, { row_digests: ['b'], source_kinds: ['span'] })).toEqual([])
  expect(await list(project_id, { dataset_object_id: 'others' })).toEqual([])
  expect(await datasetsOf(project_id, [one, { ...two, source_kind: 'span' }])).toEqual([
    {
      ...one,
      dataset_object_id: 'questions',
      row_digests: ['a', 'b'],
      row_digests_truncated: false,
      row_digests_total_count: 2,
      first_seen_at: expect.any(String),
    },
  ])
})

test('resending links changes nothing', async () => {
  const project_id = newProject()
  const body = request(project_id, { a: [await writeCall(project_id, 'one')] }, { link_metadata: { n: 1 } })
  const [first] = await link(body)
  const before = await list(project_id)
  expect(await link(body)).toEqual([{ ...first, created: false }])
  expect(await link({ ...body, include_created_status: false })).toEqual([{ ...first, created: null }])
  expect([await list(project_id), await storedRows(project_id)]).toEqual([before, 1])
})

test('a deleted link is listed when asked for, and restored by linking again', async () => {
  const project_id = newProject()
  const one = await writeCall(project_id, 'one')
  const body = request(project_id, { a: [one] })
  const link_id = (await link(body))[0]!.link_id
  const [before] = await list(project_id)
  const remove = () => server.post('/dataset_sources/link_delete', { project_id, link_ids: [link_id] })
  expect(await remove()).toEqual({ entries: [{ link_id, deleted: true }] })
  expect(await remove()).toEqual({ entries: [{ link_id, deleted: false }] })
  expect([await list(project_id), await datasetsOf(project_id, [one])]).toEqual([[], []])
  const [deleted] = await list(project_id, { include_deleted: true })
  expect(deleted).toEqual({ ...before, updated_at: deleted?.updated_at, deleted_at: deleted?.updated_at })
  expect(await datasetsOf(project_id, [one], { include_deleted: true })).toHaveLength(1)
  expect(await link(body)).toEqual([{ link_id, created: false }])
  const [restored] = await list(project_id)
  expect(restored).toEqual({ ...before, updated_at: restored?.updated_at })
  const unknown = await server.send('/dataset_sources/link_delete', { project_id, link_ids: ['x', link_id] })
  expect([unknown.status, unknown.text, (await list(project_id)).length]).toEqual([
    400,
    expect.stringContaining('no links with these ids: x'),
    1,
  ])
})

describe('sources', () => {
  test('a span is found by its own id or that of its call; its trace must be right', async () => {
    const project_id = newProject()
    const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
    await writeCall(project_id, callId(trace, span), trace)
    await writeCall(project_id, 'plain', trace)
    const source = (source_id: string, source_trace_id: string): Source => ({
      source_kind: 'span',
      source_id,
      source_trace_id,
    })
    const linked = [source(span, trace), source('plain', trace)]
    expect(await link(request(project_id, { a: linked }))).toHaveLength(2)
    expect(await list(project_id, { source_kinds: ['span'] })).toMatchObject(linked)
    expect(await datasetsOf(project_id, linked)).toMatchObject(linked)
    expect(await datasetsOf(project_id, [source(span, 'another')])).toEqual([])
    for (const wrong of [source(span, 'another'), source('plain', '')]) {
      const { status } = await server.send('/dataset_sources/link', request(project_id, { b: [wrong] }))
      expect([wrong, status]).toEqual([wrong, 400])
    }
  })

  test('a conversation needs no calls, and has no trace', async () => {
    const project_id = newProject()
    const talk = { source_kind: 'conversation', source_id: 'talk', source_trace_id: '' }
    await link(request(project_id, { a: [talk] }))
    expect(await list(project_id)).toMatchObject([{ ...talk, source_display_name: '' }])
    const wrong = request(project_id, { a: [{ ...talk, source_trace_id: 'trace' }] })
    expect((await server.send('/dataset_sources/link', wrong)).status).toBe(400)
  })

  test('a missing call is named, and nothing is stored', async () => {
    const [project_id, other] = [newProject(), newProject()]
    const sources = [await writeCall(project_id, 'here'), await writeCall(other, 'elsewhere')]
    const { status, text } = await server.send('/dataset_sources/link', request(project_id, { a: sources }))
    expect([status, text]).toEqual([
      400,
      expect.stringContaining('does not have these sources: call elsewhere'),
    ])
    expect(await storedRows(project_id)).toBe(0)
  })

  test('more than 1,000 in a request are refused', async () => {
    const project_id = newProject()
    const one = await writeCall(project_id, 'one')
    const rows = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`row-${i}`, [one]]))
    expect((await server.send('/dataset_sources/link', request(project_id, rows))).status).toBe(413)
    delete rows['row-0']
    await link(request(project_id, rows))
    expect(await datasetsOf(project_id, [one])).toMatchObject([
      { row_digests_truncated: true, row_digests_total_count: 1000, row_digests: { length: 100 } },
    ])
  })
})
