import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { type OperationName, operationNames } from '../../src/contract/operations.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { createAccess } from '../../src/service/access/access.ts'
import { createKey, revokeKey } from '../../src/service/access/keys.ts'
import { revokeRole } from '../../src/service/access/member-admin.ts'
import { listProjects } from '../../src/store/access/projects.ts'
import { examples, type ExampleContext, ExampleCache } from '../examples.ts'
import { apiKeyIn, type TestResponse, basic, useServer } from '../harness.ts'
import { inParallel, operationOf } from '../operations.ts'
import { replaceAt } from '../positions.ts'
import { Shares } from '../share.ts'
import { deliver as deliverAs, fill, type Json, type KnownIds, readAll, textsIn } from '../tenants.ts'

/**
 * Tenant isolation: Ann has access to left/one and attacks Bea's project right/one with every operation of the contract
 * and every known kind of attack. No response to Ann may contain Bea's canary string.
 */

const server = useServer()

const A = 'left/one'
const B = 'right/one'
/** Another project of Ann, for the records that her attacks write. */
const ATTACKS = 'left/tries'
const CANARY_A = 'sparrow'
const CANARY_B = 'goldfinch'

let ann: string
let bea: string
let reader: string
let stranger: string
let context: ExampleContext
let annIds: KnownIds
let beaIds: KnownIds
let before: Map<string, string>
let serial = 0

const allNames = operationNames()
/** Operations that need access to a project. */
const projectOperations = allNames.filter((name) =>
  ['read', 'write', 'admin'].includes(operationOf(name).access),
)
const writeOperations = projectOperations.filter((name) => operationOf(name).access === 'write')

/** Sends a request, by default as Ann. No response to her may contain the canary, whatever its status. */
async function send(path: string, body: unknown, authorization = ann): Promise<TestResponse> {
  return checkResponse(path, body, await server.as(authorization)(path, body), authorization)
}

async function deliver(name: OperationName, request: object, authorization = ann): Promise<TestResponse> {
  const response = await deliverAs(server, authorization, name, request)
  return checkResponse(response.path, request, response, authorization)
}

function checkResponse(
  path: string,
  request: unknown,
  response: TestResponse,
  authorization: string,
): TestResponse {
  const { status, text, headers } = response
  if (authorization === bea) return response
  if (status < 500 && !text.includes(CANARY_B) && !JSON.stringify([...headers]).includes(CANARY_B))
    return response
  throw new Error(
    `${path} returned ${status}: ${text.slice(0, 500)}\nfor ${JSON.stringify(request).slice(0, 500)}`,
  )
}

async function post<T = Json>(path: string, body: unknown, authorization = ann): Promise<T> {
  const response = await send(path, body, authorization)
  expect([path, response.status, response.text]).toEqual([path, 200, expect.anything()])
  return JSON.parse(response.text) as T
}

/** A valid request in Ann's project for attacks. */
async function example(name: OperationName): Promise<object> {
  return examples[name](context)
}

const shares = new Shares(12)
const exampleCache = new ExampleCache(() => context)

beforeAll(async () => {
  ann = await server.user('ann', { [A]: 'admin', [ATTACKS]: 'admin' })
  bea = await server.user('bea', { [B]: 'admin' })
  reader = await server.user('reader', { [ATTACKS]: 'read' })
  stranger = await server.user('stranger')
  annIds = await fill(server, { project_id: A, canary: CANARY_A, authorization: ann })
  beaIds = await fill(server, { project_id: B, canary: CANARY_B, authorization: bea })
  const start = { project_id: B, id: 'hers-alone', op_name: CANARY_B, trace_id: 'shared-trace' }
  await post('/call/start', { start: { ...start, started_at: '2026-11-01T00:00:00Z' } }, bea)
  before = await readAll(server, bea, beaIds)
  const client = createClient({ url: server.url, authorization: ann })
  context = { client, project_id: ATTACKS, authorization: ann, unique: () => `u${serial++}` }
})

test('every read of Bea contains her canary (otherwise its absence would prove nothing)', () => {
  for (const [path, text] of before) {
    const secret = path === '/calls/query_stats' ? /^200 / : /^200 .*goldfinch/s
    expect([path, text]).toEqual([path, expect.stringMatching(secret)])
  }
})

describe("T1: Bea's ids in Ann's requests", () => {
  test.each(projectOperations)(
    "%s in Bea's project is forbidden, whichever field names the project",
    async (name) => {
      const request = await exampleCache.get(name)
      const attacks = textsIn(request)
        .filter(
          ({ path, text }) =>
            path.at(-1) === 'project_id' ||
            path[0] === 'project_ids' ||
            (path[0] === 'refs' && text.includes(ATTACKS)),
        )
        .map(({ path, text }) => replaceAt(request, path, text.replace(ATTACKS, B)))
      if ('entity' in request) attacks.push({ ...request, entity: 'right', project: 'one' })
      expect(attacks.length).toBeGreaterThan(0)
      for (const attack of attacks) {
        const response = await deliver(name, attack)
        expect([response.status, response.json['code']]).toEqual([403, 'forbidden'])
      }
    },
  )

  test.each(projectOperations)(
    "%s in Ann's own project finds nothing of Bea by any id, ref or digest",
    { timeout: 180_000 },
    async (name) => {
      const request = await example(name)
      const ids = name.startsWith('call')
        ? [beaIds.call, 'hers-alone', beaIds.ref, beaIds.project]
        : Object.values(beaIds)
      const positions = textsIn(request).filter(
        ({ path }) =>
          !/^(project_id|entity|project|mode|.*_at|.*_date|direction|order)$/.test(String(path.at(-1))),
      )
      const attacks = positions.flatMap(({ path }) =>
        shares.next(ids).map((id) => replaceAt(request, path, id)),
      )
      await inParallel(8, attacks, async (attack) => {
        await deliver(name, attack)
      })
    },
  )

  test("reads by Bea's ids get the same responses as reads by unknown ids", async () => {
    type Ids = Pick<KnownIds, 'call' | 'digest' | 'table' | 'object' | 'file'>
    const unknownIds: Ids = {
      call: 'nobody',
      digest: 'z'.repeat(43),
      table: '0'.repeat(64),
      object: 'nothing',
      file: 'y'.repeat(43),
    }
    const existingIds: Ids = {
      call: 'hers-alone',
      digest: beaIds.only,
      table: beaIds.table,
      object: beaIds.object,
      file: beaIds.file,
    }
    const reads = (ids: Ids): [string, Json][] => [
      ['/call/read', { project_id: A, id: ids.call }],
      ['/calls/query', { project_id: A, filter: { call_ids: [ids.call] } }],
      ['/calls/query_stats', { project_id: A, filter: { call_ids: [ids.call] } }],
      ['/calls/query_stats', { project_id: A, filter: { parent_ids: [ids.call] } }],
      ['/calls/delete', { project_id: A, call_ids: [ids.call] }],
      ['/obj/read', { project_id: A, object_id: ids.object, digest: ids.digest }],
      ['/obj/read', { project_id: A, object_id: ids.object, digest: 'latest' }],
      ['/obj/read', { project_id: A, object_id: ids.object, digest: 'v0' }],
      ['/obj/delete', { project_id: A, object_id: ids.object }],
      ['/objs/query', { project_id: A, filter: { object_ids: [ids.object] } }],
      ['/refs/read_batch', { refs: [`weave:///${A}/object/${ids.object}:${ids.digest}`] }],
      ['/table/query', { project_id: A, digest: ids.table }],
      ['/table/query_stats', { project_id: A, digest: ids.table }],
      ['/table/update', { project_id: A, base_digest: ids.table, updates: [{ pop: { index: 0 } }] }],
      ['/file/content', { project_id: A, digest: ids.file }],
    ]
    const readResponses = async (ids: Ids): Promise<unknown[]> => {
      const responses: unknown[] = []
      for (const [path, body] of reads(ids)) {
        const { status, text } = await send(path, body)
        const plain = Object.values(ids).reduce((rest, id) => rest.replaceAll(id, '<id>'), text)
        responses.push([path, status, plain.replace(/"request_id":"[^"]*"/, '')])
      }
      return responses
    }
    expect(await readResponses(existingIds)).toEqual(await readResponses(unknownIds))
  })
})

const field = (name: string): Json => ({ $getField: name })
const literal = (value: unknown): Json => ({ $literal: value })

describe('T2: queries that are always true', () => {
  const always: Json[] = [
    { $eq: [literal(1), literal(1)] },
    { $or: [{ $eq: [literal('1'), literal('1')] }] },
    { $not: [{ $eq: [literal(1), literal(2)] }] },
    { $or: [{ $eq: [field('id'), literal(B)] }, { $eq: [literal(1), literal(1)] }] },
    { $not: [{ $eq: [field('id'), literal('')] }] },
    { $contains: { input: field('id'), substr: literal('') } },
    { $in: [literal(1), [literal(1)]] },
  ]
  const targeted: Json[] = [
    { $eq: [field('project_id'), literal(B)] },
    { $or: [{ $eq: [field('project_id'), literal(B)] }, { $eq: [literal(1), literal(2)] }] },
    { $not: [{ $eq: [field('project_id'), literal(A)] }] },
    { $in: [field('project_id'), [literal(A), literal(B)]] },
    { $contains: { input: field('project_id'), substr: literal('right') } },
  ]
  const injected: Json[] = [
    'project_id) OR (1=1',
    "inputs.x') OR project_id = 'right/one",
    "payload.x', 'y') = '' OR 1=1 --",
    'feedback.[*].payload.note',
    'feedback.[wandb.note.1].payload.note',
    "feedback.[x' OR project_id != '].payload.note",
    'calls.project_id',
    'system.tables',
    '(SELECT secret)',
  ].map((name) => ({
    $or: [
      { $contains: { input: field(name), substr: literal('') } },
      { $eq: [field(name), literal(CANARY_A)] },
    ],
  }))

  const LIST_KEYS = {
    calls_query: 'calls',
    calls_query_stream: '',
    feedback_query: 'result',
    cost_query: 'results',
    calls_query_stats: 'count',
    trace_usage: 'call_usage',
  } as const
  const queryOperations = allNames.filter(
    (name) => 'query' in ((operationOf(name).request as unknown as { shape: Json }).shape ?? {}),
  )

  async function size(name: keyof typeof LIST_KEYS, query: object | undefined): Promise<number> {
    const request = {
      project_id: A,
      ...(query === undefined ? {} : { query: RawJson.fromValue({ $expr: query }) }),
    }
    const response = await deliver(name, request)
    expect([query, response.status, response.text]).toEqual([query, 200, expect.anything()])
    const key = LIST_KEYS[name]
    if (key === '') return response.text.split('\n').length - 1
    const found = response.json[key]
    return typeof found === 'object' && found !== null ? Object.keys(found).length : Number(found)
  }

  const SPAN_OPERATIONS = ['agent_spans_query', 'agent_spans_stats', 'agent_custom_attrs_schema'] as const
  /** `query` is words to search for. */
  const SEARCHES = ['agent_search']

  test('every operation with a query is tested here', () => {
    const tested = [
      ...Object.keys(LIST_KEYS),
      ...SPAN_OPERATIONS,
      ...SEARCHES,
      'feedback_purge',
      'cost_purge',
    ]
    expect(queryOperations.sort()).toEqual(tested.sort())
  })

  test.each(SPAN_OPERATIONS)("%s returns only Ann's data", async (name) => {
    const request = await example(name)
    for (const each of [...always, ...targeted, ...injected]) {
      const query = RawJson.fromValue({ $expr: each })
      const response = await deliver(name, { ...request, project_id: A, query })
      expect([each, response.status]).toEqual([each, expect.toBeOneOf([200, 400, 422])])
    }
  })

  test.each(Object.keys(LIST_KEYS) as (keyof typeof LIST_KEYS)[])(
    "%s returns only Ann's data",
    async (name) => {
      const own = await size(name, undefined)
      expect(own).toBeGreaterThan(0)
      for (const query of always) expect([query, await size(name, query)]).toEqual([query, own])
      for (const query of [...targeted, ...injected]) {
        const response = await deliver(name, { project_id: A, query: RawJson.fromValue({ $expr: query }) })
        expect([query, response.status]).toEqual([query, expect.toBeOneOf([200, 400, 422])])
      }
      for (const query of targeted.slice(0, 3)) {
        const response = await deliver(name, { project_id: A, query: RawJson.fromValue({ $expr: query }) })
        if (response.status === 200) expect(await size(name, query)).toBe(0)
      }
    },
  )

  test.each(['calls_query', 'feedback_query', 'cost_query', 'objs_query'] as const)(
    "%s cannot sort by or select fields outside Ann's data",
    async (name) => {
      const names = [
        'project_id',
        'feedback.[*].payload.note',
        'id, (SELECT any(val) FROM object_versions)',
        'system.one',
        'is_deleted',
        'payload.secret',
        '__proto__',
      ]
      for (const each of names) {
        await deliver(name, { project_id: A, sort_by: [{ field: each, direction: 'asc' }] })
        await deliver(name, { project_id: A, fields: [each], columns: [each], expand_columns: [each] })
      }
    },
  )

  test.each(['feedback_purge', 'cost_purge'] as const)(
    '%s rejects any query other than by id',
    async (name) => {
      for (const query of [...always, ...targeted, ...injected]) {
        const response = await deliver(name, { project_id: A, query: RawJson.fromValue({ $expr: query }) })
        expect([query, response.status]).toEqual([query, expect.toBeOneOf([400, 422])])
      }
      for (const id of [beaIds.cost, 'nobody']) {
        const query = RawJson.fromValue({ $expr: { $eq: [field('id'), literal(id)] } })
        expect((await deliver(name, { project_id: A, query })).status).toBe(200)
      }
    },
  )
})

describe("T3: other spellings of Bea's project", () => {
  const spellings: unknown[] = [
    'RIGHT/one',
    'Right/One',
    'right/one/',
    'right/one//',
    '/right/one',
    'right//one',
    'right/one ',
    ' right/one',
    'right /one',
    'right/one\u0000',
    'right\u0000/one',
    'left/one\u0000right/one',
    'right/one\n',
    'right%2Fone',
    'right%2fone',
    'right/%6Fne',
    'right／one',
    'right∕one',
    'rіght/one',
    'ｒight/one',
    'right/o\u200bne',
    'right/one\ufeff',
    '/one',
    'right/',
    '/',
    '',
    'one',
    'right',
    '*/*',
    'right/%',
    'right/*',
    'left/../right/one',
    'left/one/../../right/one',
    'left/one,right/one',
    "left/one' OR project_id = 'right/one",
    'right\\one',
    ['right/one'],
    ['left/one', 'right/one'],
    { $ne: '' },
    null,
    0,
    true,
  ]

  test.each(projectOperations)('%s rejects each spelling', { timeout: 180_000 }, async (name) => {
    const request = await exampleCache.get(name)
    const { body } = operationOf(name)
    const attacks: object[] = []
    for (const spelling of shares.next(spellings)) {
      if (body === 'multipart' && typeof spelling !== 'string') continue
      if (body === 'otlp' && !isOtherProjectInHeader(spelling)) continue
      if (name === 'refs_read_batch') {
        if (typeof spelling === 'string')
          attacks.push({ refs: [`weave:///${spelling}/object/shared:${beaIds.digest}`] })
        continue
      }
      for (const { path } of textsIn(request).filter((position) => position.path.at(-1) === 'project_id'))
        attacks.push(replaceAt(request, path, spelling))
      if (!('entity' in request) || typeof spelling !== 'string') continue
      const [entity = '', ...rest] = spelling.split('/')
      attacks.push(
        { ...request, entity, project: rest.join('/') },
        // Not `one`: that is Ann's own project.
        { ...request, project: spelling === 'one' ? 'One' : spelling },
        { ...request, entity: spelling },
      )
    }
    await inParallel(8, attacks, async (attack) => {
      const response = await deliver(name, attack)
      expect([attack, response.status, response.text]).toEqual([
        attack,
        expect.toBeOneOf([400, 403, 404, 422]),
        expect.anything(),
      ])
    })
  })

  /** A header is text of ASCII; in one of OTLP, a name without a slash is a project of the caller. */
  function isOtherProjectInHeader(spelling: unknown): boolean {
    return typeof spelling === 'string' && /^[ -~]*\/[ -~]*$/.test(spelling)
  }

  test('no spelling has created a project', async () => {
    const known = (await listProjects(server.heddle.deps.db)).map((project) => project.project_id)
    // Without Ann's own projects, which the examples of project_delete create.
    expect(known.filter((id) => !/^ann\/u\d+$/.test(id)).sort()).toEqual([A, ATTACKS, B])
  })

  test('a slash in a path parameter is rejected, also for the owner of the entity', async () => {
    const lea = await server.user('lea')
    const batch = [{ project_id: 'lea/p', id: 'x', op_name: 'op', trace_id: 't' }]
    for (const project of ['p/../../right/one', 'p%2fq', 'p/', 'p\u0000', 'p\n']) {
      const response = await deliver('calls_complete', { entity: 'lea', project, batch }, lea)
      expect([project, response.status]).toEqual([project, project === 'p%2fq' ? 200 : 422])
    }
    const known = (await listProjects(server.heddle.deps.db)).map((project) => project.project_id)
    // A doubly encoded slash is an ordinary name.
    expect(known.filter((project_id) => project_id.startsWith('lea/')).sort()).toEqual(['lea/p', 'lea/p%2fq'])
  })

  test('with a repeated project_id in the body, the project that is read is the one that was authorized', async () => {
    for (const [first, second] of [
      [A, B],
      [B, A],
    ]) {
      const text = `{"project_id":"${first}","id":"shared-call","project_id":"${second}"}`
      const response = await send('/call/read', text)
      // The same value must be used for the authorization and for the read.
      expect([response.status, response.text.includes(CANARY_A)]).toEqual(
        second === A ? [200, true] : [403, false],
      )
    }
  })
})

describe('T4: equal names in both projects', () => {
  test('each user reads their own record under an equal id, name or digest', async () => {
    const own = await readAll(server, ann, annIds)
    for (const [path, text] of own) {
      const secret = path === '/calls/query_stats' ? /^200 / : /^200 .*sparrow/s
      expect([path, text]).toEqual([path, expect.stringMatching(secret)])
      expect([path, text]).not.toEqual([path, expect.stringContaining(CANARY_B)])
    }
    expect(beaIds.same).toBe(annIds.same)
    const equal = { project_id: A, object_id: 'same', digest: beaIds.same }
    expect(await post('/obj/read', equal)).toMatchObject({ obj: { val: { equal: 1 }, wb_user_id: 'ann' } })
  })

  test('a deletion, rename or replacement by Ann under an equal name affects only her project', async () => {
    await post('/calls/delete', { project_id: A, call_ids: ['shared-call', 'hers-alone'] })
    await post('/call/update', { project_id: A, call_id: 'shared-child', display_name: 'renamed by Ann' })
    await post('/call/end', {
      end: { project_id: A, id: 'hers-alone', output: 'by Ann', ended_at: '2099-01-01T00:00:00Z' },
    })
    await post('/call/start', { start: { project_id: A, id: 'orphan', op_name: 'by Ann' } })
    await post('/call/start', { start: { project_id: A, id: 'unborn', op_name: 'by Ann' } })
    await post('/obj/delete', { project_id: A, object_id: 'shared' })
    await post('/obj/create', { obj: { project_id: A, object_id: 'same', val: { by: 'Ann' } } })
    await post('/feedback/replace', {
      project_id: A,
      feedback_id: 'shared-feedback',
      weave_ref: beaIds.callRef,
      feedback_type: 'custom',
      payload: { by: 'Ann' },
    })
    await post('/feedback/purge', {
      project_id: A,
      query: { $expr: { $eq: [field('id'), literal('replaced')] } },
    })
    await post('/cost/purge', {
      project_id: A,
      query: { $expr: { $eq: [field('id'), literal(beaIds.cost)] } },
    })
    expect(await readAll(server, bea, beaIds)).toEqual(before)
    // The end and the rename without a start in Bea's project did not apply to Ann's calls.
    expect(await post('/call/read', { project_id: A, id: 'orphan' })).toMatchObject({
      call: { op_name: 'by Ann', output: { secret: `a ${CANARY_A} sings` } },
    })
    expect(await post('/call/read', { project_id: A, id: 'unborn' })).toMatchObject({
      call: { display_name: CANARY_A },
    })
  })

  test('rows that only Bea stored are not returned in a table that Ann creates from their digests', async () => {
    const { digest } = await post<{ digest: string }>('/table/create_from_digests', {
      project_id: A,
      row_digests: [beaIds.row],
    })
    expect(await post('/table/query', { project_id: A, digest })).toEqual({ rows: [] })
    const again = await post<{ digest: string }>('/table/create_from_digests', {
      project_id: A,
      row_digests: [beaIds.row, beaIds.row],
    })
    const updated = await post<{ digest: string }>('/table/update', {
      project_id: A,
      base_digest: again.digest,
      updates: [{ append: { row: { mine: 1 } } }],
    })
    expect(await post('/table/query', { project_id: A, digest: updated.digest })).toMatchObject({
      rows: [{ val: { mine: 1 } }],
    })
  })
})

describe('T5: batches that mix both projects', () => {
  const start = (project_id: string): Json => ({
    mode: 'start',
    req: { start: { project_id, id: 'mixed', op_name: 'op', trace_id: 't' } },
  })
  const end = (project_id: string): Json => ({
    mode: 'end',
    req: { end: { project_id, id: 'shared-child', ended_at: '2099-01-01T00:00:00Z' } },
  })
  const done = (project_id: string): Json => ({ project_id, id: 'mixed', op_name: 'op', trace_id: 't' })
  const feedback = (project_id: string): Json => ({
    project_id,
    id: 'mixed',
    weave_ref: 'weave:///x/y/call/z',
    feedback_type: 'custom',
    payload: {},
  })
  const batches: [string, (project_id: string) => unknown, string][] = [
    ['/call/upsert_batch', start, 'batch'],
    ['/call/upsert_batch', end, 'batch'],
    [`/v2/${A}/calls/complete`, done, 'batch'],
    [`/v2/${B}/calls/complete`, done, 'batch'],
    ['/feedback/batch/create', feedback, 'batch'],
    ['/refs/read_batch', (project_id) => `weave:///${project_id}/object/same:${beaIds.same}`, 'refs'],
  ]

  test.each(batches)('%s is rejected completely, before anything is written', async (path, item, key) => {
    const countBefore = await post('/calls/query_stats', { project_id: A })
    for (const order of [[A, B], [B, A], [A, A, A, B], [B]]) {
      const response = await send(path, { [key]: order.map(item) })
      expect([order, response.status, response.json]).toEqual([
        order,
        403,
        expect.objectContaining({ code: 'forbidden', reason: expect.stringContaining(B) }),
      ])
    }
    expect(await post('/calls/query_stats', { project_id: A })).toEqual(countBefore)
    expect(await post('/call/read', { project_id: A, id: 'mixed' })).toEqual({ call: null })
    expect(
      (await post<{ result: Json[] }>('/feedback/query', { project_id: A, fields: ['id'] })).result,
    ).not.toContainEqual({ id: 'mixed' })
    expect(await readAll(server, bea, beaIds)).toEqual(before)
  })

  test('the project in the path and the project in the record are both authorized', async () => {
    for (const [inPath, inRecord] of [
      [A, B],
      [B, A],
    ]) {
      for (const [path, body] of [
        [`/v2/${inPath}/call/start`, { start: done(inRecord!) }],
        [`/v2/${inPath}/call/end`, { end: { project_id: inRecord, id: 'shared-child' } }],
        [`/v2/${inPath}/calls/complete`, { batch: [done(inRecord!)] }],
      ] as const) {
        expect([path, (await send(path, body)).status]).toEqual([path, 403])
      }
    }
  })
})

describe("T6: refs to Bea's records", () => {
  test('are stored and returned unchanged, and never resolved', async () => {
    const refs = [beaIds.ref, beaIds.onlyRef, beaIds.tableRef, beaIds.callRef]
    const call = {
      project_id: A,
      id: 'pointing',
      op_name: beaIds.ref,
      parent_id: beaIds.call,
      trace_id: beaIds.trace,
      inputs: { model: beaIds.ref, list: refs },
      attributes: { model: beaIds.ref },
      output: beaIds.ref,
      summary: { model: beaIds.onlyRef },
      ended_at: '2026-11-01T00:00:00Z',
    }
    await post(`/v2/${A}/calls/complete`, { batch: [call] })
    const expand_columns = [
      'inputs.model',
      'inputs.list',
      'inputs.list.0',
      'output',
      'output.secret',
      'attributes.model',
      'summary.model',
      'op_name',
      'parent_id',
    ]
    const { calls } = await post<{ calls: Json[] }>('/calls/query', {
      project_id: A,
      filter: { call_ids: ['pointing'] },
      expand_columns,
      include_feedback: true,
      include_costs: true,
    })
    expect(calls).toMatchObject([
      { inputs: call.inputs, output: call.output, attributes: call.attributes, summary: call.summary },
    ])
    const expanded = {
      expand_columns,
      query: { $expr: { $contains: { input: field('output.secret'), substr: literal(CANARY_B) } } },
    }
    expect(await post('/calls/query_stats', { project_id: A, ...expanded })).toMatchObject({ count: 0 })

    const { digest } = await post<{ digest: string }>('/obj/create', {
      obj: {
        project_id: A,
        object_id: 'pointing',
        val: { model: beaIds.ref, rows: beaIds.tableRef, list: refs },
      },
    })
    const own = `weave:///${A}/object/pointing:${digest}`
    expect(
      await post('/refs/read_batch', {
        refs: [
          own,
          `${own}/attr/model`,
          `${own}/attr/model/attr/secret`,
          `${own}/attr/rows/id/${beaIds.row}`,
          `${own}/attr/list/index/1/attr/secret`,
        ],
      }),
    ).toEqual({
      vals: [{ model: beaIds.ref, rows: beaIds.tableRef, list: refs }, beaIds.ref, null, null, null],
    })
    const { row_digests, digest: table } = await post<{ digest: string; row_digests: string[] }>(
      '/table/create',
      { table: { project_id: A, rows: [{ model: beaIds.ref }] } },
    )
    const data = await post<{ digest: string }>('/obj/create', {
      obj: { project_id: A, object_id: 'data', val: { rows: `weave:///${A}/table/${table}` } },
    })
    expect(
      await post('/refs/read_batch', {
        refs: [
          `weave:///${A}/object/data:${data.digest}/attr/rows/id/${row_digests[0]}/attr/model/attr/secret`,
        ],
      }),
    ).toEqual({ vals: [null] })
  })

  test("feedback about Bea's call stays in Ann's project, and Bea's schemas are not used", async () => {
    const feedbackTarget = { project_id: A, weave_ref: beaIds.callRef }
    await post('/feedback/create', {
      ...feedbackTarget,
      id: 'about-hers',
      feedback_type: 'custom',
      payload: { by: CANARY_A },
    })
    // Bea's schema would reject the value, and the error would reveal the schema.
    await post('/feedback/create', {
      ...feedbackTarget,
      feedback_type: 'wandb.annotation.shared',
      annotation_ref: beaIds.ref,
      payload: { value: 7 },
    })
    const { calls } = await post<{ calls: Json[] }>(
      '/calls/query',
      { project_id: B, include_feedback: true },
      bea,
    )
    expect(JSON.stringify(calls)).not.toContain(CANARY_A)
    const noted = { $expr: { $eq: [field('feedback.[custom].payload.by'), literal(CANARY_A)] } }
    expect(await post('/calls/query_stats', { project_id: B, query: noted }, bea)).toMatchObject({ count: 0 })
  })
})

describe('T8: revoked rights', () => {
  test('a key revoked during a streamed response is rejected from the next request on', async () => {
    const { deps, access } = server.heddle
    const { key, key_id } = await createKey(deps, 'ann')
    access.invalidate()
    const batch = Array.from({ length: 5_000 }, (_, i) => ({
      project_id: A,
      id: `many-${i}`,
      op_name: 'op',
      trace_id: 'many',
      inputs: { text: 'x'.repeat(500) },
    }))
    await post(`/v2/${A}/calls/complete`, { batch })
    const authorization = basic('api', key)
    const response = await fetch(`${server.url}/calls/stream_query`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify({ project_id: A }),
    })
    expect(response.status).toBe(200)
    const stream = response.body!.getReader()
    await stream.read()
    await revokeKey(deps, key_id)
    access.invalidate()
    expect((await send('/calls/query_stats', { project_id: A }, authorization)).status).toBe(401)
    await stream.cancel()
  })

  test('another node rejects a revoked key and a revoked role within 30 s', async () => {
    const { deps } = server.heddle
    let aheadMs = 0n
    const node = createAccess({ ...deps, now: () => deps.now() + aheadMs * 1000n })
    const authorization = await server.user('leaving', { [B]: 'read' })
    const caller = await node.authenticate(authorization)
    await node.authorize(caller, 'read', [B])
    await revokeRole(deps, 'leaving', B)
    aheadMs = 30_000n
    await expect(node.authorize(caller, 'read', [B])).rejects.toMatchObject({ code: 'forbidden' })
    await revokeKey(deps, apiKeyIn(authorization))
    aheadMs = 60_000n
    await expect(node.authenticate(authorization)).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})

describe('T9: keys with fewer rights', () => {
  test.each(writeOperations)('%s is rejected for a key with the role read', async (name) => {
    const response = await deliver(name, await exampleCache.get(name), reader)
    expect([response.status, response.json['code']]).toEqual([403, 'forbidden'])
  })

  test.each(projectOperations)(
    '%s is rejected for a key without a role and without credentials',
    async (name) => {
      const request = await exampleCache.get(name)
      expect((await deliver(name, request, stranger)).status).toBe(403)
      expect((await deliver(name, request, '')).status).toBe(401)
    },
  )
})

test("after all attacks Bea's data is unchanged, and nothing that Ann or the public can read contains her canary", async () => {
  expect(await readAll(server, bea, beaIds)).toEqual(before)
  for (const path of [
    '/metrics',
    '/openapi.json',
    '/docs',
    '/readyz',
    '/healthz',
    '/server_info',
    '/nothing/here',
  ]) {
    const { text } = await server.as('')(path)
    expect([path, text.includes(CANARY_B) || text.includes(B)]).toEqual([path, false])
  }
  for (const name of ['calls_query', 'objs_query', 'feedback_query', 'cost_query'] as const) {
    expect((await deliver(name, { project_id: A })).status).toBe(200)
  }
})
