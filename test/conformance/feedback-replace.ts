import type { Api } from './api.ts'
import { once, check } from './check.ts'
import {
  absent,
  EXACT,
  EXACT_JSON,
  exactNumber,
  fail,
  hasType,
  includes,
  microseconds,
  recent,
  same,
  sameMembers,
} from './expect.ts'
import { at, byId, queryFeedback } from './feedback-records.ts'
import { feedback, feedbackBody, fieldIs, replaceFeedback } from './fixtures.ts'

/** Section 8: feedback/replace, the only operation of the ten that writes feedback. */
const PAYLOAD = {
  note: 'ü 👍',
  score: 0.5,
  n: 3,
  none: null,
  yes: true,
  nested: { list: [1, [], {}], 'a.b': '"' },
}
const createdFeedback = once(async (api) => {
  const body = feedbackBody(api, { payload: PAYLOAD })
  return { body, response: await api.post('/feedback/replace', body) }
})

check('8.3', 'feedback record', 'id is a string', async (api) => {
  const { body, response } = await createdFeedback(api)
  hasType(response['id'], 'string', 'id')
  if (api.isHeddle) same(response['id'], body['feedback_id'], 'id')
})
check('8.4', 'feedback record', 'created_at is a datetime', async (api) =>
  recent((await createdFeedback(api)).response['created_at'], 'created_at'),
)
check('8.7', 'feedback record', 'wb_user_id is populated by the server', async (api) => {
  const { wb_user_id } = (await createdFeedback(api)).response
  hasType(wb_user_id, 'string', 'wb_user_id')
  if (wb_user_id === '') fail('wb_user_id', 'a user', wb_user_id)
})
check('8.9', 'feedback record', 'payload is the object that was sent', async (api) =>
  same((await createdFeedback(api)).response['payload'], PAYLOAD, 'payload'),
)

const exact = once(async (api) => {
  const body = JSON.stringify(feedbackBody(api, { payload: null })).replace(
    '"payload":null',
    `"payload":${EXACT_JSON}`,
  )
  const response = await api.send('/feedback/replace', body)
  same(response.status, 200, 'status')
  const { id } = JSON.parse(response.text) as { id: string }
  const found = { project_id: api.project_id, fields: ['payload'], query: fieldIs('id', id) }
  return { replaced: response.text, queried: (await api.send('/feedback/query', found)).text }
})
for (const key of Object.keys(EXACT) as (keyof typeof EXACT)[]) {
  check(
    '8.10',
    'feedback record',
    `payload returned by replace keeps the number ${EXACT[key]}`,
    async (api) => exactNumber((await exact(api)).replaced, key, api.isHeddle),
  )
  check('8.10', 'feedback record', `payload found by query keeps the number ${EXACT[key]}`, async (api) =>
    exactNumber((await exact(api)).queried, key, api.isHeddle),
  )
}

const REPLACE = 'feedback/replace'
check('8.1', REPLACE, 'a new id creates a record', async (api) => {
  const { id } = (await createdFeedback(api)).response
  same(
    (await byId(api, id)).map((record) => record['payload']),
    [PAYLOAD],
    'payloads',
  )
})
check('8.8', REPLACE, 'wb_user_id sent by a client is overwritten or rejected', async (api) => {
  const body = feedbackBody(api, { wb_user_id: 'somebody-else' })
  const { status, text } = await api.send('/feedback/replace', body)
  const user = (await createdFeedback(api)).response['wb_user_id']
  hasType(user, 'string', 'wb_user_id')
  if (status === 200) same((JSON.parse(text) as { wb_user_id: unknown }).wb_user_id, user, 'wb_user_id')
  else same([400, 403, 422].includes(status), true, `rejection (${status})`)
})
check('8.7', REPLACE, 'wb_user_id is the same for the same credentials', async (api) => {
  const { wb_user_id } = await replaceFeedback(api)
  hasType(wb_user_id, 'string', 'wb_user_id')
  same(wb_user_id, (await createdFeedback(api)).response['wb_user_id'], 'wb_user_id')
})

/** A record, then its replacement with the same id. */
const replaced = once(async (api) => {
  const [old_type, new_type] = [api.name('old'), api.name('new')]
  const first = await replaceFeedback(api, { feedback_type: old_type, payload: { note: 'old', only_old: 1 } })
  same((await byId(api, first['id'])).length, 1, 'records before the replacement')
  const fields = { feedback_type: new_type, payload: { note: 'new' }, feedback_id: first['id'] }
  return { old_type, new_type, first, second: await replaceFeedback(api, fields) }
})
check('8.9', REPLACE, 'the response has the new payload', async (api) =>
  same((await replaced(api)).second['payload'], { note: 'new' }, 'payload'),
)
check('8.3', REPLACE, 'the id does not change', async (api) => {
  const { first, second } = await replaced(api)
  if (api.isHeddle) same(second['id'], first['id'], 'id')
  else hasType(second['id'], 'string', 'id')
})
check('8.2', REPLACE, 'the replacement is found once', async (api) => {
  const { new_type } = await replaced(api)
  const found = await queryFeedback(api, {
    fields: ['payload.note'],
    query: fieldIs('feedback_type', new_type),
  })
  same(
    found.map((record) => at(record, 'payload.note')),
    ['new'],
    'notes',
  )
})
check('8.2', REPLACE, 'the replaced content is no longer found', async (api) => {
  const { old_type } = await replaced(api)
  same(
    await queryFeedback(api, { fields: ['id'], query: fieldIs('feedback_type', old_type) }),
    [],
    'records of the old type',
  )
})
check('8.4', REPLACE, 'created_at is not earlier than that of the replaced record', async (api) => {
  const { first, second } = await replaced(api)
  const difference =
    microseconds(second['created_at'] as string) - microseconds(first['created_at'] as string)
  same(difference >= 0n, true, 'order of created_at')
})
check('8.5', REPLACE, 'a replacement sent twice is stored once', async (api) => {
  const body = feedbackBody(api, { feedback_type: api.name('twice') })
  const { id } = await api.post('/feedback/replace', body)
  await api.post('/feedback/replace', { ...body, feedback_id: id })
  const found = await queryFeedback(api, {
    fields: ['id'],
    query: fieldIs('feedback_type', body['feedback_type']),
  })
  same(found.length, 1, 'records')
})
check('8.2', REPLACE, 'optional fields that the replacement omits are not kept', async (api) => {
  const optional = Object.fromEntries(Object.entries(OPTIONAL).map(([field, make]) => [field, make(api)]))
  const { id } = await api.postUndocumented('/feedback/replace', feedbackBody(api, optional))
  const { id: replaced } = await replaceFeedback(api, { feedback_id: id })
  const [record = {}] = await byId(api, replaced, Object.keys(optional))
  for (const field of Object.keys(optional)) absent(record[field], field)
})
check('8.2', REPLACE, 'the last of several replacements wins', async (api) => {
  for (let n = 0; n < 5; n += 1) {
    const { id } = await replaceFeedback(api, { payload: { v: 'old' } })
    const { id: replaced } = await replaceFeedback(api, { feedback_id: id, payload: { v: 'new' } })
    same(
      (await byId(api, replaced, ['payload'])).map(({ payload }) => payload),
      [{ v: 'new' }],
      'payloads',
    )
  }
})
for (const [field, values] of Object.entries({
  project_id: [1, [], true, {}],
  feedback_type: [1, [], true, {}, ''],
  feedback_id: [1, [], true, {}, ''],
  payload: [1, [], true, 'a text'],
  creator: [1, [], true, {}],
})) {
  for (const value of values) {
    check('8.12', REPLACE, `${field} ${JSON.stringify(value)} is rejected, naming it`, async (api) =>
      api.rejectsNaming(field, '/feedback/replace', feedbackBody(api, { [field]: value })),
    )
  }
}
for (const payload of [{}, { a: null }, { a: { b: [1, { c: 2 }] } }, { 日: '🎉' }]) {
  check('8.9', REPLACE, `payload ${JSON.stringify(payload)} reads back`, async (api) =>
    same((await replaceFeedback(api, { payload }))['payload'], payload, 'payload'),
  )
}
for (const [feedback_type, payload] of [
  ['wandb.note.1', { note: 'hi' }],
  ['wandb.reaction.1', { emoji: '👍' }],
  ['ünï', { a: 1 }],
] as const) {
  check('8.11', REPLACE, `feedback_type ${feedback_type} is accepted`, async (api) =>
    includes((await replaceFeedback(api, { feedback_type, payload }))['payload'], payload, 'payload'),
  )
}
check('8.6', REPLACE, 'other records are unchanged', async (api) => {
  const { feedback_type, ids } = await feedback(api)
  await replaced(api)
  const found = await queryFeedback(api, { fields: ['id'], query: fieldIs('feedback_type', feedback_type) })
  sameMembers(
    found.map(({ id }) => id),
    ids,
    'ids',
  )
})

const REFS = {
  annotation_ref: 'object',
  runnable_ref: 'op',
  call_ref: 'call',
  trigger_ref: 'object',
} as const
const OPTIONAL: Readonly<Record<string, (api: Api) => string>> = {
  creator: () => 'Ada',
  ...Object.fromEntries(
    Object.entries(REFS).map(([field, kind]) => [
      field,
      (api: Api) => api.ref(kind, kind === 'call' ? api.id() : 'thing:abc'),
    ]),
  ),
}
for (const [field, make] of Object.entries(OPTIONAL)) {
  check('8.13', REPLACE, `${field} is stored`, async (api) => {
    const value = make(api)
    const { id } = await api.postUndocumented('/feedback/replace', feedbackBody(api, { [field]: value }))
    same(
      (await byId(api, id, [field])).map((record) => record[field]),
      [value],
      field,
    )
  })
  check('8.13', REPLACE, `${field} sent as null is null`, async (api) => {
    const { id } = await api.post('/feedback/replace', feedbackBody(api, { [field]: null }))
    same(
      (await byId(api, id, [field])).map((record) => record[field] ?? null),
      [null],
      field,
    )
  })
}
