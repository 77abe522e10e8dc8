import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { useServer } from '../harness.ts'
import { projectPath } from '../project-path.ts'

/** What an ignored key does: a typing error deletes and selects nothing, and a response names what it left out. */

const server = useServer()
const project_id = 'acme/typos'
const path = '/api/v1/projects/acme/typos'
const v2 = '/v2/acme/typos'
const ids = (...values: string[]) => ({
  $expr: { $in: [{ $getField: 'id' }, values.map((value) => ({ $literal: value }))] },
})

async function fill() {
  const client = createClient({ url: server.url, authorization: server.authorization })
  const project = projectPath(project_id)
  const call = (id: string) => ({ project_id, id, trace_id: 'trace', op_name: 'answer' })
  await client.call('calls_complete', { ...project, batch: ['a', 'b', 'c'].map(call) })
  const publish = (n: number) =>
    client.call('obj_create', { obj: { project_id, object_id: 'prompt', val: RawJson.fromValue({ n }) } })
  const first = await publish(1)
  await publish(2)
  const dataset = await client.call('dataset_create', { ...project, name: 'rows', rows: [] })
  const version = { project_id, object_id: 'prompt', digest: first.digest }
  await client.call('obj_add_tags', { ...version, tags: ['good', 'old'] })
  await client.call('obj_set_aliases', { ...version, aliases: ['prod'] })
  const feedback = await client.call('feedback_create', {
    project_id,
    weave_ref: `weave:///${project_id}/call/a`,
    feedback_type: 'note',
    payload: RawJson.fromValue({ note: 'x' }),
  })
  const price = { prompt_token_cost: RawJson.fromText('1'), completion_token_cost: RawJson.fromText('2') }
  const costs = await client.call('cost_create', { project_id, costs: { 'my-model': price } })
  const queue = await client.call('queue_create', { ...project, name: 'Review' })
  await client.call('queue_items_add', { ...project, queue_id: queue.id, call_ids: ['a', 'b'] })
  await server.user('mary', { [project_id]: 'write' })
  const key = await client.call('key_create', { name: 'spare' })
  return {
    digest: first.digest,
    dataset: dataset.digest,
    feedback: feedback.id,
    cost: costs.ids[0]![0],
    queue: queue.id,
    key: key.key_id,
  }
}

/** Everything that the requests below could delete. */
async function readAll(queue: string): Promise<unknown[]> {
  const read = async (url: string, body?: unknown) => (await server.send(url, body)).json
  return [
    await read('/calls/query', { project_id }),
    await read('/objs/query', { project_id, include_tags_and_aliases: true }),
    await read('/feedback/query', { project_id }),
    await read('/cost/query', { project_id }),
    await read(`${path}/queues/${queue}/items`),
    await read(`${path}/members`),
    await read(`${path}/retention`),
    ((await read('/api/v1/keys'))['keys'] as { key_id: string }[]).map(({ key_id }) => key_id),
  ]
}

test('40 misspelled deletions delete nothing', async () => {
  const { digest, dataset, feedback, cost, queue, key } = await fill()
  const policy = {
    calls_max_age_seconds: null,
    calls_max_bytes: null,
    payloads_max_age_seconds: null,
    payloads_max_bytes: null,
    keep_tags: [],
  }
  const version = `/objs/prompt/versions/${digest}`
  const object = { project_id, object_id: 'prompt' }
  const typos: [method: string, url: string, body: unknown, key: string][] = [
    ['POST', '/obj/delete', { ...object, digest }, 'digests'],
    ['POST', '/obj/delete', { ...object, digest: [digest] }, 'digests'],
    ['POST', '/obj/delete', { ...object, digest: null }, 'digests'],
    ['POST', '/obj/delete', { ...object, Digests: [digest] }, 'digests'],
    ['POST', '/obj/delete', { ...object, digets: [digest] }, 'digests'],
    ['POST', '/obj/delete', { ...object, version: 'v0' }, 'version'],
    ['POST', '/obj/delete', { ...object, versions: ['v0'] }, 'versions'],
    ['POST', '/obj/delete', { ...object, latest_only: true }, 'latest_only'],
    ['POST', '/obj/delete', { ...object, filter: { latest_only: true } }, 'filter'],
    ['POST', '/obj/delete?digests=' + digest, object, 'digests'],
    ['POST', '/traces/obj/delete', { ...object, digest }, 'digests'],
    ['POST', '/calls/delete', { project_id, call_ids: ['a'], limit: 0 }, 'limit'],
    ['POST', '/calls/delete', { project_id, call_ids: ['a'], call_id: 'b' }, 'call_ids'],
    ['POST', '/calls/delete', { project_id, call_ids: ['a'], dry_run: true }, 'dry_run'],
    ['POST', '/calls/delete', { project_id, call_ids: ['a'], children: false }, 'children'],
    ['POST', '/calls/delete', { project_id, call_ids: ['a'], wb_user_id: 'mary' }, 'wb_user_id'],
    ['POST', '/calls/delete?dry_run=true', { project_id, call_ids: ['a'] }, 'dry_run'],
    ['POST', '/feedback/purge', { project_id, query: ids(feedback), limit: 0 }, 'limit'],
    ['POST', '/feedback/purge', { project_id, query: ids(feedback), feedback_type: 'x' }, 'feedback_type'],
    ['POST', '/feedback/purge', { project_id, query: { ...ids(feedback), $and: [] } }, '$and'],
    ['POST', '/feedback/purge?dry_run=1', { project_id, query: ids(feedback) }, 'dry_run'],
    ['POST', '/cost/purge', { project_id, query: ids(cost), llm_id: 'other' }, 'llm_id'],
    ['POST', '/cost/purge', { project_id, query: { ...ids(cost), limit: 0 } }, 'limit'],
    ['POST', '/cost/purge', { project_id, query: ids(cost), dryRun: true }, 'dryRun'],
    ['POST', `${version}/tags/remove`, { project_id, tags: ['good'], tag: 'old' }, 'tags'],
    ['POST', `${version}/tags/remove`, { project_id, tags: ['good'], object_id: 'other' }, 'object_id'],
    ['POST', `${version}/tags/remove?digest=x`, { project_id, tags: ['good'] }, 'digest'],
    ['POST', '/objs/prompt/aliases/remove', { project_id, aliases: ['prod'], alias: 'x' }, 'aliases'],
    ['POST', '/objs/prompt/aliases/remove', { project_id, aliases: ['prod'], digest }, 'digest'],
    ['PUT', `${path}/retention`, { ...policy, calls_max_age_seconds: 60, keep_tag: ['good'] }, 'keep_tags'],
    ['PUT', `${path}/retention`, { ...policy, calls_max_bytes: 1, dry_run: true }, 'dry_run'],
    ['PUT', `${path}/retention`, { ...policy, calls_max_bytes: 1, project: 'other' }, 'project'],
    ['DELETE', `${v2}/datasets/rows?digest=${dataset}`, undefined, 'digests'],
    ['DELETE', `${v2}/datasets/rows?digests=${dataset}&dry_run=true`, undefined, 'dry_run'],
    ['DELETE', `${v2}/datasets/rows`, { digests: [dataset] }, 'query string'],
    ['DELETE', `${path}?dry_run=true`, undefined, 'dry_run'],
    ['DELETE', `${path}/queues/${queue}?call_id=a`, undefined, 'call_id'],
    ['DELETE', `${path}/queues/${queue}/items/a?skip=1`, undefined, 'skip'],
    ['DELETE', `${path}/members/mary?role=write`, undefined, 'role'],
    ['DELETE', `/api/v1/keys/${key}?after=2099-01-01`, undefined, 'after'],
  ]
  expect(typos).toHaveLength(40)
  const before = await readAll(queue)
  for (const [method, url, body, name] of typos) {
    const response = await server.send(url, body, { method })
    expect([url, body, response.status, response.json['reason']]).toEqual([
      url,
      body,
      422,
      expect.stringContaining(name),
    ])
  }
  expect(await readAll(queue)).toEqual(before)
  expect(before.every((each) => JSON.stringify(each).length > 20)).toBe(true)
})

test('the error names the key and the closest known one', async () => {
  const response = await server.send('/obj/delete', { project_id, object_id: 'p', digest: 'x' })
  expect(response.json).toMatchObject({
    reason: 'digest: unknown key `digest`; did you mean `digests`?',
    detail: [{ loc: ['body', 'digest'], type: 'extra_forbidden' }],
  })
})

describe('selections', () => {
  test.each([
    ['/calls/query_stats', { filter: { foo: 1 } }, 'filter.foo: unknown key `foo`; known are `op_names`'],
    ['/calls/query', { filter: { trace_id: 'x' } }, 'did you mean `trace_ids`?'],
    ['/calls/query', { sort_by: [{ field: 'id', dir: 'desc' }] }, 'did you mean `direction`?'],
    ['/objs/query', { filter: { latest: true } }, 'did you mean `latest_only`?'],
    ['/table/query', { digest: 'x', filter: { digests: [] } }, 'filter.digests: unknown key'],
    [
      '/calls/query',
      {
        query: {
          $expr: {
            $contains: { input: { $getField: 'id' }, substr: { $literal: 'a' }, caseInsensitive: true },
          },
        },
      },
      'did you mean `case_insensitive`?',
    ],
    [
      '/feedback/query',
      {
        query: {
          $expr: {
            $eq: [{ $convert: { input: { $getField: 'id' }, to: 'int', on_error: 0 } }, { $literal: 1 }],
          },
        },
      },
      'unknown key `on_error`; known are `input`, `to`',
    ],
  ])('%s refuses an unknown key in %j', async (url, body, reason) => {
    const response = await server.send(url, { project_id: server.project_id, ...body })
    expect([response.status, response.json['reason']]).toEqual([422, expect.stringContaining(reason)])
  })

  test.each(['calls', 'objects', 'tables'])(
    'an export of %s refuses an unknown key of its filter',
    async (what) => {
      const filter = encodeURIComponent('{"trace_idz": ["x"]}')
      const response = await server.send(`${path}/export?what=${what}&filter=${filter}`)
      expect([response.status, response.json['reason']]).toEqual([422, expect.stringContaining('trace_idz')])
    },
  )
})

describe('ignored fields', () => {
  const start = (extra: object) => ({ project_id: server.project_id, op_name: 'op', ...extra })

  test('of a batch are named once, and counted without their names', async () => {
    const batch = [
      { mode: 'start', req: { start: start({ agent: 1 }), more: 1 } },
      { mode: 'start', req: { start: start({ agent: 2, 'naïve, key\r\nX-Evil: 1': 3 }) } },
    ]
    const response = await server.send('/call/upsert_batch', { batch, sdk: 'new' })
    expect(response.status).toBe(200)
    expect(response.headers.get('heddle-ignored-fields')).toBe(
      'batch.req.start.agent, batch.req.more, batch.req.start.na?ve??key??X-Evil??1, sdk',
    )
    expect(response.headers.get('x-evil')).toBeNull()
    const { text } = await server.send('/metrics')
    expect(text).toContain('heddle_http_ignored_fields_total{operation="call_upsert_batch"} 4')
    expect(text).not.toContain('Evil')
  })

  test('are bounded in number and length', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [`${'x'.repeat(500)}${n}`, n] as const),
    )
    const response = await server.send('/call/start', { start: start(many) })
    expect(response.status).toBe(200)
    const names = response.headers.get('heddle-ignored-fields') ?? ''
    expect(names.length).toBeLessThan(1_100)
    expect(names).toMatch(/^start\.x{64}/)
  })

  test('of the body that are in the path too are named if they differ', async () => {
    const send = async (entity: string) => server.send('/v2/acme/typos/calls/complete', { entity, batch: [] })
    expect((await send('acme')).headers.get('heddle-ignored-fields')).toBeNull()
    expect((await send('other')).headers.get('heddle-ignored-fields')).toBe('entity')
  })

  test('a request without any has no header', async () => {
    const response = await server.send('/call/start', { start: start({}) })
    expect(response.headers.get('heddle-ignored-fields')).toBeNull()
  })
})
