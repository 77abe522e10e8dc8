import { expect, test } from 'vitest'
import { projectNames, useServer } from '../harness.ts'

const server = useServer()

const CALL = 'weave:///acme/demo/call/1'

interface Stored {
  id: string
  created_at: string
  wb_user_id: string
  payload: Record<string, unknown>
}

type Row = Record<string, unknown>

interface Page {
  result: Row[]
  total_count: number
}

const newProject = projectNames('acme/feedback')

function record(project_id: string, extra: Row = {}): Row {
  return { project_id, weave_ref: CALL, feedback_type: 'custom', payload: { a: 1 }, ...extra }
}

async function query(project_id: string, extra: Row = {}): Promise<Row[]> {
  return (await server.post<Page>('/feedback/query', { project_id, ...extra })).result
}

async function status(path: string, body: unknown): Promise<number> {
  return (await server.send(path, body)).status
}

const byId = (id: string) => ({ $eq: [{ $getField: 'id' }, { $literal: id }] })

test('replace with a new id creates feedback with that id', async () => {
  const project_id = newProject()
  const item = { item_ref: CALL, feedback_type: 'custom', payload: { score: 1 } }
  const stored = await server.post<Stored>('/feedback/replace', { project_id, feedback_id: 'mine', ...item })
  expect(stored).toEqual({
    id: 'mine',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    wb_user_id: expect.stringMatching(/./),
    payload: { score: 1 },
  })
  expect(await query(project_id, { fields: ['id', 'item_ref', 'weave_ref'] })).toEqual([
    { id: 'mine', item_ref: CALL, weave_ref: CALL },
  ])
})

test('after a replace no read returns the old content', async () => {
  const project_id = newProject()
  const first = record(project_id, { feedback_id: 'r', feedback_type: 'old', payload: { note: 'secret' } })
  await server.post('/feedback/replace', first)
  await server.post('/feedback/replace', {
    ...first,
    weave_ref: 'weave:///acme/demo/call/2',
    feedback_type: 'new',
    payload: { note: 'fine' },
  })
  const response = await server.send('/feedback/query', { project_id })
  expect(response.json['total_count']).toBe(1)
  expect(response.text).not.toContain('secret')
  const contains = { $contains: { input: { $getField: 'payload.note' }, substr: { $literal: 'secret' } } }
  const old = [
    contains,
    { $eq: [{ $getField: 'weave_ref' }, { $literal: CALL }] },
    { $eq: [{ $getField: 'feedback_type' }, { $literal: 'old' }] },
  ]
  for (const $expr of old) expect(await query(project_id, { query: { $expr } })).toEqual([])
  expect(await query(project_id, { fields: ['count(*)'] })).toEqual([{ 'count(*)': 1 }])
})

test('a replace sent again changes nothing, not even its time', async () => {
  const project_id = newProject()
  const body = record(project_id, { feedback_id: 'r', payload: { n: 1 } })
  const first = await server.post<Stored>('/feedback/replace', body)
  expect(await server.post<Stored>('/feedback/replace', body)).toEqual(first)
  expect(await query(project_id)).toHaveLength(1)
})

test('concurrent replaces leave one record, and the last one wins although another clock was ahead', async () => {
  const project_id = newProject()
  const replace = (n: number) =>
    server.post('/feedback/replace', record(project_id, { feedback_id: 'r', payload: { n } }))
  await Promise.all([1, 2, 3, 4, 5].map(replace))
  expect(await query(project_id)).toHaveLength(1)
  const tomorrow = (BigInt(Date.now()) + 86_400_000n) * 1000n
  const ahead = {
    project_id,
    id: 'r',
    payload: '{"n":0}',
    feedback_type: 'custom',
    version: tomorrow.toString(),
  }
  await server.heddle.deps.db.insert('feedback', [ahead])
  await replace(6)
  expect(await query(project_id, { fields: ['payload'] })).toEqual([{ payload: { n: 6 } }])
  await server.post('/feedback/purge', { project_id, query: { $expr: byId('r') } })
  expect(await query(project_id, { fields: [] })).toEqual([])
})

test('a create with a client id, sent again, is listed once', async () => {
  const project_id = newProject()
  const body = record(project_id, { id: 'chosen' })
  const first = await server.post<Stored>('/feedback/create', body)
  expect(first.id).toBe('chosen')
  expect(await server.post<Stored>('/feedback/create', body)).toEqual(first)
  const batch = await server.post<{ res: Stored[] }>('/feedback/batch/create', { batch: [body, body] })
  expect(batch.res).toEqual([first, first])
  expect(await query(project_id)).toHaveLength(1)
})

test('a create sent again after a replace does not restore the old content', async () => {
  const project_id = newProject()
  const create = record(project_id, { id: 'r', payload: { v: 'old' } })
  await server.post('/feedback/create', create)
  await server.post('/feedback/replace', record(project_id, { feedback_id: 'r', payload: { v: 'new' } }))
  await server.post('/feedback/create', create)
  expect(await query(project_id, { fields: ['payload'] })).toEqual([{ payload: { v: 'new' } }])
})

test('a batch is stored in order, and missing ids are generated', async () => {
  const project_id = newProject()
  const batch = [1, 2, 3].map((n) => record(project_id, { payload: { n } }))
  const { res } = await server.post<{ res: Stored[] }>('/feedback/batch/create', { batch })
  expect(res.map((stored) => stored.payload)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  expect(new Set(res.map((stored) => stored.id)).size).toBe(3)
  expect(await query(project_id, { fields: ['payload.n'] })).toEqual(
    [1, 2, 3].map((n) => ({ 'payload.n': n })),
  )
  expect(await server.post('/feedback/batch/create', { batch: [] })).toEqual({ res: [] })
})

test('a batch with one invalid record stores none', async () => {
  const project_id = newProject()
  const bad = record(project_id, { feedback_type: 'wandb.note.1', payload: { note: '' } })
  expect(await status('/feedback/batch/create', { batch: [record(project_id), bad] })).toBe(400)
  expect(await query(project_id)).toEqual([])
})

test('wb_user_id is the caller, not the value in the body', async () => {
  const project_id = newProject()
  const honest = await server.post<Stored>('/feedback/create', record(project_id))
  const forged = await server.post<Stored>(
    '/feedback/create',
    record(project_id, { wb_user_id: 'someone else' }),
  )
  expect(forged.wb_user_id).toBe(honest.wb_user_id)
  for (const row of await query(project_id)) expect(row['wb_user_id']).toBe(honest.wb_user_id)
})

test('a payload is returned byte for byte', async () => {
  const project_id = newProject()
  const payload = '{"f":1.0, "big":123456789012345678901234567890,"e":1E5,"z":null,"a":"\\u00e9é"}'
  const body = `{"project_id":"${project_id}","weave_ref":"${CALL}","feedback_type":"custom","payload":${payload}}`
  expect((await server.send('/feedback/create', body)).text).toContain(`"payload":${payload}`)
  expect((await server.send('/feedback/query', { project_id })).text).toContain(`"payload":${payload}`)
  const big = { $eq: [{ $getField: 'payload.a' }, { $literal: 'éé' }] }
  expect(await query(project_id, { query: { $expr: big }, fields: ['payload.f'] })).toHaveLength(1)
})

test('without fields a record has both names of its ref, and no other column that is empty in all records', async () => {
  const project_id = newProject()
  const { id, created_at, wb_user_id } = await server.post<Stored>('/feedback/create', record(project_id))
  const one = {
    id,
    project_id,
    weave_ref: CALL,
    item_ref: CALL,
    wb_user_id,
    created_at,
    feedback_type: 'custom',
    payload: { a: 1 },
    creator: null,
    annotation_ref: null,
    runnable_ref: null,
    call_ref: null,
    trigger_ref: null,
  }
  expect(await query(project_id)).toEqual([one])
  const empty = await server.post<Stored>(
    '/feedback/create',
    record(project_id, { payload: {}, queue_id: 'q' }),
  )
  expect(await query(project_id)).toEqual([
    { ...one, queue_id: null },
    { ...one, id: empty.id, created_at: empty.created_at, payload: {}, queue_id: 'q' },
  ])
})

test('all 25 columns can be requested; those that SDKs expect not to be null are empty', async () => {
  const project_id = newProject()
  const { id } = await server.post<Stored>('/feedback/create', record(project_id))
  const expected = {
    id,
    project_id,
    weave_ref: CALL,
    creator: null,
    annotation_ref: null,
    runnable_ref: null,
    call_ref: null,
    trigger_ref: null,
    queue_id: null,
    scorer_tags: [],
    scorer_tag_reasons: {},
    scorer_tag_confidences: {},
    scorer_ratings: {},
    scorer_rating_reasons: {},
    scorer_rating_confidences: {},
    span_agent_name: '',
    span_agent_version: '',
    span_status_code: 'UNSET',
    span_conversation_id: '',
    span_trace_id: '',
    scorer_trace_id: '',
  }
  expect(await query(project_id, { fields: Object.keys(expected) })).toEqual([expected])
})

test('an SDK that rejects unknown fields gets no item_ref, and no empty score and span fields', async () => {
  const project_id = newProject()
  await server.post<Stored>('/feedback/create', record(project_id))
  const scored = { scorer_tags: ['good'], runnable_ref: 'weave:///acme/demo/op/judge:abc', call_ref: CALL }
  const scoreRecord = { feedback_type: 'wandb.runnable.judge', payload: { output: 1 }, ...scored }
  await server.post<Stored>('/feedback/create', record(project_id, scoreRecord))
  const newFields = async (headers: Record<string, string>) => {
    const { json } = await server.send('/feedback/query', { project_id }, { headers })
    return (json as unknown as Page).result.map((row) =>
      Object.keys(row).filter((key) => /^(scorer|span|item)_/.test(key)),
    )
  }
  expect(await newFields({ 'x-weave-retry-id': 'r' })).toEqual([[], ['scorer_tags']])
  const capable = { 'x-weave-retry-id': 'r', 'x-weave-client-capabilities': 'trace_id_on_end' }
  expect(await newFields(capable)).toEqual([
    ['item_ref', 'scorer_tags'],
    ['item_ref', 'scorer_tags'],
  ])
})

test('every field is read back; null means absent', async () => {
  const project_id = newProject()
  const sent = {
    creator: 'Jane',
    runnable_ref: 'weave:///acme/demo/op/judge:abc',
    call_ref: CALL,
    trigger_ref: 'weave:///acme/demo/object/monitor:abc',
    queue_id: 'q',
    scorer_tags: ['good', 'short'],
    scorer_tag_reasons: { good: 'is' },
    scorer_tag_confidences: { good: 0.5 },
    scorer_ratings: { _rating_: 0.87 },
    scorer_rating_reasons: { _rating_: 'why' },
    scorer_rating_confidences: { _rating_: 1 },
    span_agent_name: 'agent',
    span_agent_version: '2',
    span_status_code: 'OK',
    span_conversation_id: 'c',
    span_trace_id: 't',
    scorer_trace_id: 's',
  }
  const body = { feedback_type: 'wandb.runnable.judge', payload: { output: 1 }, annotation_ref: null }
  await server.post('/feedback/create', record(project_id, { ...body, ...sent }))
  expect((await query(project_id))[0]).toMatchObject(sent)
  const nothing = Object.fromEntries(Object.keys(sent).map((key) => [key, null]))
  await server.post('/feedback/create', record(project_id, { ...nothing, id: null, item_ref: null }))
  expect(await query(project_id)).toHaveLength(2)
})

test('only the requested fields are returned; payload paths are flat keys with the values as stored', async () => {
  const project_id = newProject()
  const payload = { note: 'hi', n: { m: 5 }, list: ['a', 'b'], no: null, yes: true }
  const { id } = await server.post<Stored>('/feedback/create', record(project_id, { payload }))
  const fields = [
    'id',
    'payload.note',
    'payload.n.m',
    'payload.n',
    'payload.list.1',
    'payload.no',
    'payload.x',
    'payload.yes',
  ]
  expect(await query(project_id, { fields })).toEqual([
    {
      id,
      'payload.note': 'hi',
      'payload.n.m': 5,
      'payload.n': { m: 5 },
      'payload.list.1': 'b',
      'payload.no': null,
      'payload.x': null,
      'payload.yes': true,
    },
  ])
})

const NO_REFS = [
  'not a ref',
  '',
  'http://127.0.0.1/x',
  'weave:///only',
  'weave:///a/b',
  'weave:///a/b/',
  'weave:///a/b/bogus/x',
  'weave:///a/b/call/',
  'weave:///a/b/object/x',
  'weave:///a/b/op/x',
  'weave:///a/b/object/:abc',
  'weave:///a/b/object/x:abc/attr',
  'weave:///a/b/object/x:abc/bogus/y',
  'weave://a/b/call/x',
  'weave:////b/call/x',
  'other:///a/b/call/x',
  'a/b/call/x',
  ' weave:///a/b/call/x',
]

const REFS = {
  object: 'weave:///a/b/object/x:abc/attr/rows/index/0',
  op: 'weave:///a/b/op/x:abc',
  call: 'weave:///a/b/call/x',
  table: 'weave:///a/b/table/abc',
  agent_turn: 'weave:///a/b/agent_turn/t1',
  agent_conversation: 'weave:///a/b/agent_conversation/sess%2F42',
  agent_span: 'weave:///a/b/agent_span/s9',
}

const REF_KINDS: Record<string, (keyof typeof REFS)[]> = {
  annotation_ref: ['object'],
  runnable_ref: ['op', 'object'],
  call_ref: ['call'],
  trigger_ref: ['object'],
  weave_ref: Object.keys(REFS) as (keyof typeof REFS)[],
  item_ref: Object.keys(REFS) as (keyof typeof REFS)[],
}

test.each(Object.entries(REF_KINDS))('%s takes refs of its kinds only', async (field, kinds) => {
  const project_id = newProject()
  const base = field === 'item_ref' ? { weave_ref: null } : {}
  const send = async (ref: string) => {
    const body = record(project_id, { ...base, [field]: ref })
    const replaced = await server.send('/feedback/replace', { ...body, feedback_id: 'r' })
    const others = [
      await status('/feedback/create', body),
      await status('/feedback/batch/create', { batch: [body] }),
    ]
    expect([ref, ...others]).toEqual([ref, replaced.status, replaced.status])
    return replaced
  }
  for (const [kind, ref] of Object.entries(REFS))
    expect([ref, (await send(ref)).status]).toEqual([ref, kinds.includes(kind as 'call') ? 200 : 422])
  for (const ref of NO_REFS) {
    const { status: code, json } = await send(ref)
    expect([ref, code, json['detail']]).toEqual([
      ref,
      422,
      [expect.objectContaining({ loc: ['body', field], msg: expect.stringContaining('weave:///<entity>/') })],
    ])
  }
})

test('feedback on a call whose id has slashes is stored', async () => {
  const project_id = newProject()
  const weave_ref = `weave:///${project_id}/call/a/b:c d`
  await server.post('/feedback/create', record(project_id, { weave_ref }))
  expect(await query(project_id, { fields: ['weave_ref'] })).toEqual([{ weave_ref }])
})

test('an unknown field, a negative limit or a negative offset is rejected with 422', async () => {
  const project_id = newProject()
  for (const fields of [
    ['nope'],
    ['id.x'],
    ['payload.'],
    [''],
    ['id', 'count(*)'],
    ['__proto__'],
    ['constructor'],
  ]) {
    const { status: code, json } = await server.send('/feedback/query', { project_id, fields })
    expect([fields, code]).toEqual([fields, fields.includes('count(*)') ? 400 : 422])
    if (code === 422) expect(json['detail']).toMatchObject([{ loc: ['body', 'fields', 0] }])
  }
  expect(await status('/feedback/query', { project_id, limit: -1 })).toBe(422)
  expect(await status('/feedback/query', { project_id, offset: -1 })).toBe(422)
})

test('pages concatenate to the whole list in the requested order; total_count ignores the page', async () => {
  const project_id = newProject()
  const batch = Array.from({ length: 7 }, (_, n) =>
    record(project_id, { id: `f${n}`, payload: { n: (n * 3) % 7 } }),
  )
  await server.post('/feedback/batch/create', { batch })
  const sort_by = [{ field: 'payload.n', direction: 'desc' }]
  const numbers: unknown[] = []
  for (const offset of [0, 3, 6]) {
    const page = await server.post<Page>('/feedback/query', {
      project_id,
      fields: ['payload.n'],
      sort_by,
      limit: 3,
      offset,
    })
    expect(page.total_count).toBe(7)
    numbers.push(...page.result.map((row) => row['payload.n']))
  }
  expect(numbers).toEqual([6, 5, 4, 3, 2, 1, 0])
  expect(await query(project_id, { limit: 0 })).toEqual([])
  expect(await query(project_id, { offset: 5 })).toHaveLength(2)
})

test('the query language filters by column, by payload and by the Python SDK\'s condition for "all"', async () => {
  const project_id = newProject()
  await server.post('/feedback/batch/create', {
    batch: [
      record(project_id, { id: 'a', creator: 'Jane', payload: { score: 1 } }),
      record(project_id, { id: 'b', payload: { score: 2.5 } }),
      record(project_id, { id: 'c', feedback_type: 'other', payload: { text: 'x' } }),
    ],
  })
  const field = (name: string) => ({ $getField: name })
  const ids = async ($expr: Row) =>
    (await query(project_id, { query: { $expr }, fields: ['id'] })).map((row) => row['id'])
  expect(await ids({ $eq: [{ $literal: '1' }, { $literal: '1' }] })).toEqual(['a', 'b', 'c'])
  expect(await ids({ $gt: [field('payload.score'), { $literal: 1.5 }] })).toEqual(['b'])
  expect(await ids({ $eq: [field('feedback_type'), { $literal: 'other' }] })).toEqual(['c'])
  expect(await ids({ $eq: [field('creator'), { $literal: null }] })).toEqual(['b', 'c'])
  expect(await ids({ $in: [field('id'), [{ $literal: 'a' }, { $literal: 'c' }]] })).toEqual(['a', 'c'])
  expect(await ids({ $eq: [field('item_ref'), { $literal: CALL }] })).toEqual(['a', 'b', 'c'])
})

test('a bare literal is a condition', async () => {
  const project_id = newProject()
  await server.post('/feedback/create', record(project_id))
  const count = async ($literal: unknown) =>
    (await query(project_id, { query: { $expr: { $and: [{ $literal }] } } })).length
  expect(await count(true)).toBe(1)
  expect(await count(1)).toBe(1)
  expect(await count('text')).toBe(1)
  expect(await count(false)).toBe(0)
  expect(await count(null)).toBe(0)
})

test('no query returns or purges the feedback of another project', async () => {
  const [mine, theirs] = [newProject(), newProject()]
  await server.post('/feedback/create', record(theirs, { id: 'same', payload: { secret: 1 } }))
  await server.post('/feedback/create', record(mine, { id: 'same', payload: { own: 1 } }))
  const yes = { $eq: [{ $literal: 1 }, { $literal: 1 }] }
  const other = { $eq: [{ $getField: 'project_id' }, { $literal: theirs }] }
  for (const $expr of [yes, { $or: [other, yes] }, { $not: [{ $not: [yes] }] }]) {
    expect(await query(mine, { query: { $expr }, fields: ['payload'] })).toEqual([{ payload: { own: 1 } }])
  }
  expect(await query(mine, { query: { $expr: other } })).toEqual([])
  await server.post('/feedback/purge', { project_id: mine, query: { $expr: byId('same') } })
  expect(await query(mine)).toEqual([])
  expect(await query(theirs)).toHaveLength(1)
})

test('purged feedback is immediately gone from every read', async () => {
  const project_id = newProject()
  const batch = ['a', 'b', 'c', 'd'].map((id) => record(project_id, { id, payload: { word: `word-${id}` } }))
  await server.post('/feedback/batch/create', { batch })
  const purge = ($expr: Row) => server.post('/feedback/purge', { project_id, query: { $expr } })
  expect(await purge(byId('a'))).toEqual({})
  await purge({ $or: [byId('b'), byId('never there')] })
  await purge({ $in: [{ $getField: 'id' }, [{ $literal: 'c' }]] })
  const response = await server.send('/feedback/query', { project_id })
  expect(response.json['total_count']).toBe(1)
  expect(response.text).not.toMatch(/word-[abc]/)
})

test('feedback written again after a purge is listed again', async () => {
  const project_id = newProject()
  const body = record(project_id, { feedback_id: 'r' })
  await server.post('/feedback/replace', body)
  await server.post('/feedback/purge', { project_id, query: { $expr: byId('r') } })
  await server.post('/feedback/replace', body)
  expect(await query(project_id)).toHaveLength(1)
})

test('a purge that does not select by id is rejected and deletes nothing', async () => {
  const project_id = newProject()
  await server.post('/feedback/create', record(project_id, { id: 'a' }))
  const all = { $eq: [{ $literal: 1 }, { $literal: 1 }] }
  const wide = [
    all,
    { $or: [byId('a'), all] },
    { $and: [byId('a'), byId('a')] },
    { $not: [byId('b')] },
    { $eq: [{ $getField: 'feedback_type' }, { $literal: 'custom' }] },
    { $eq: [{ $getField: 'id' }, { $getField: 'id' }] },
  ]
  for (const $expr of wide)
    expect(await status('/feedback/purge', { project_id, query: { $expr } })).toBe(400)
  expect(await query(project_id)).toHaveLength(1)
})

test('reactions are returned and stored with their shortcodes', async () => {
  const project_id = newProject()
  const body = record(project_id, { feedback_type: 'wandb.reaction.1', payload: { emoji: '👍🏽' } })
  const payload = {
    emoji: '👍🏽',
    alias: ':thumbs_up_medium_skin_tone:',
    detoned: '👍',
    detoned_alias: ':thumbs_up:',
  }
  expect((await server.post<Stored>('/feedback/create', body)).payload).toEqual(payload)
  expect(await query(project_id, { fields: ['payload'] })).toEqual([{ payload }])
})

test('records that violate the rules of their type are rejected with 400, malformed ones with 422', async () => {
  const project_id = newProject()
  const broken = [
    { feedback_type: 'wandb.reaction.1', payload: { emoji: 'no' } },
    { feedback_type: 'wandb.note.1', payload: { note: 'x'.repeat(1025) } },
    { feedback_type: 'wandb.annotation.a', payload: { value: 1 } },
    { feedback_type: 'wandb.runnable.a', payload: { output: 1 } },
    { scorer_tags: ['a'] },
    { payload: { a: 'x'.repeat(1024 * 1024) } },
  ]
  for (const extra of broken) expect(await status('/feedback/create', record(project_id, extra))).toBe(400)
  const malformed = [
    { weave_ref: null },
    { payload: 'text' },
    { payload: null },
    { feedback_type: 5 },
    { id: '' },
  ]
  for (const extra of malformed) expect(await status('/feedback/create', record(project_id, extra))).toBe(422)
  expect(await status('/feedback/replace', record(project_id))).toBe(422)
  expect(await query(project_id)).toEqual([])
})

test('an annotation must match the schema of its spec, if the spec exists', async () => {
  const project_id = newProject()
  const val = { name: 'quality', field_schema: { type: 'integer', minimum: 1, maximum: 5 } }
  const annotation = (value: unknown, digest: string) =>
    record(project_id, {
      feedback_type: 'wandb.annotation.quality',
      annotation_ref: `weave:///${project_id}/object/quality:${digest}`,
      payload: { value },
    })
  expect(await status('/feedback/create', annotation(9, 'not-there-yet'))).toBe(200)
  const obj = { project_id, object_id: 'quality', val }
  const { digest } = await server.post<{ digest: string }>('/obj/create', { obj })
  expect(await status('/feedback/create', annotation(4, digest))).toBe(200)
  expect(await status('/feedback/create', annotation(9, digest))).toBe(400)
  expect(await status('/feedback/batch/create', { batch: [annotation('4', digest)] })).toBe(400)
  expect(await status('/feedback/replace', { ...annotation(0, digest), feedback_id: 'r' })).toBe(400)
  expect(await query(project_id)).toHaveLength(2)
})
