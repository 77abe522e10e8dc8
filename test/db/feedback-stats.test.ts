import { beforeAll, expect, test } from 'vitest'
import { formatTime } from '../../src/core/time/time.ts'
import { useServer } from '../harness.ts'

const server = useServer()
const PROJECT = 'acme/feedback-stats'

type Json = Record<string, unknown>

const monitor = (name: string, digest = 'abc') => `weave:///${PROJECT}/object/${name}:${digest}`

let start: string
let end: string
let since: number

async function createFeedback(payload: unknown, extra: Json = {}): Promise<string> {
  const { id } = await server.post<{ id: string }>('/feedback/create', {
    project_id: PROJECT,
    weave_ref: `weave:///${PROJECT}/call/c`,
    feedback_type: 'quality',
    payload,
    ...extra,
  })
  return id
}

const createScore = (name: string, extra: Json): Promise<string> =>
  createFeedback(
    { output: 1 },
    {
      feedback_type: `wandb.runnable.${name}`,
      runnable_ref: `weave:///${PROJECT}/op/${name}:abc`,
      call_ref: `weave:///${PROJECT}/call/c`,
      ...extra,
    },
  )

beforeAll(async () => {
  since = Date.now() - 60_000
  start = new Date(since).toISOString()
  await createFeedback(
    { output: { score: 0.5, ok: true }, label: 'a' },
    { id: 'one', trigger_ref: monitor('mon') },
  )
  await createFeedback(
    { output: { score: 0.5, ok: true }, label: 'a' },
    { id: 'one', trigger_ref: monitor('mon') },
  )
  await createFeedback(
    { output: { score: 1.5, ok: false }, label: 'b', list: [1, 2] },
    { trigger_ref: monitor('mon', 'def') },
  )
  await createFeedback(
    { output: { score: 'high', deep: [{ x: 1 }] }, 'odd.key': 1, 'two words': 3 },
    { trigger_ref: monitor('monday') },
  )
  const purged = await createFeedback({ output: { score: 99 } })
  const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: purged }] } }
  await server.post('/feedback/purge', { project_id: PROJECT, query })
  await createScore('accuracy', {
    scorer_tags: ['good', 'fast'],
    scorer_ratings: { _rating_: 0.9, style: 0.25 },
    span_agent_name: 'bot',
    trigger_ref: monitor('mon'),
  })
  await createScore('accuracy', { scorer_tags: ['good'], scorer_ratings: { _rating_: 0.1 } })
  await createScore('tone', {})
  end = formatTime(server.heddle.deps.now() + 1_000_000n)
})

const stats = (extra: Json): Promise<Json> =>
  server.post('/feedback/stats', { project_id: PROJECT, start, end, feedback_type: 'quality', ...extra })

const METRICS = [
  { json_path: 'output.score', aggregations: ['avg', 'min', 'max', 'sum', 'count'], percentiles: [50] },
  { json_path: 'output.ok', value_type: 'boolean' },
  { json_path: 'label', value_type: 'categorical', aggregations: ['count', 'avg'] },
]

test('payload values are aggregated over the whole time range, without purged and repeated feedback', async () => {
  const response = await stats({ metrics: METRICS })
  expect(response).toMatchObject({ granularity: 300, timezone: 'UTC' })
  expect(response['window_stats']).toEqual({
    output_score: { avg: 1, min: 0.5, max: 1.5, sum: 2, count: 2, p50: 1 },
    output_ok: { count_true: 1, count_false: 1 },
    label: { count: 2 },
  })
})

test('payload values are aggregated per time bucket', async () => {
  const { buckets } = (await stats({ metrics: METRICS, granularity: 3600 })) as { buckets: Json[] }
  const sum = (name: string): number => buckets.reduce((total, bucket) => total + Number(bucket[name]), 0)
  expect([sum('count'), sum('sum_output_score'), sum('count_true_output_ok'), sum('count_label')]).toEqual([
    3, 2, 1, 2,
  ])
  expect(Object.keys(buckets[0]!)).toEqual([
    'timestamp',
    'avg_output_score',
    'min_output_score',
    'max_output_score',
    'sum_output_score',
    'count_output_score',
    'p50_output_score',
    'count_true_output_ok',
    'count_false_output_ok',
    'count_label',
    'count',
  ])
})

test('trigger_ref selects one version of a monitor, or all versions with *', async () => {
  const count = async (trigger_ref: string): Promise<unknown> => {
    const { window_stats } = await stats({
      trigger_ref,
      metrics: [{ json_path: 'output.score', aggregations: ['count'] }],
    })
    return (window_stats as Json)['output_score']
  }
  expect(await count(monitor('mon'))).toEqual({ count: 1 })
  expect(await count(`weave:///${PROJECT}/object/mon:*`)).toEqual({ count: 2 })
})

test('without metrics nothing is aggregated; a path with invalid characters is rejected', async () => {
  expect(await stats({})).toMatchObject({ buckets: [], window_stats: null })
  const bad = { project_id: PROJECT, start, end, metrics: [{ json_path: "a') --" }] }
  expect((await server.send('/feedback/stats', bad)).status).toBe(422)
  const proto = await stats({ metrics: [{ json_path: '__proto__' }] })
  expect(proto['window_stats']).toHaveProperty('__proto__')
})

const aggregate = async (extra: Json): Promise<Json[]> => {
  const request = { project_id: PROJECT, after_ms: since, before_ms: Date.now() + 60_000, ...extra }
  return (await server.post<{ buckets: Json[] }>('/feedback/aggregate', request)).buckets
}

test('tags and ratings are counted per scorer', async () => {
  expect(await aggregate({ feedback_types: ['wandb.runnable.*'], group_by: ['scorer_id'] })).toEqual([
    {
      time_bucket_start_ms: null,
      group: { scorer_id: 'accuracy' },
      total_count: 2,
      scored_count: 2,
      tag_counts: { fast: 1, good: 2 },
      rating_counts: { _rating_: 2, style: 1 },
      rating_sums: { _rating_: 1, style: 0.25 },
    },
    {
      time_bucket_start_ms: null,
      group: { scorer_id: 'tone' },
      total_count: 1,
      scored_count: 0,
      tag_counts: {},
      rating_counts: {},
      rating_sums: {},
    },
  ])
})

test('each filter restricts the aggregates', async () => {
  const total = async (extra: Json): Promise<unknown> => (await aggregate(extra))[0]?.['total_count']
  expect(await total({})).toBe(6)
  expect(await total({ tags: ['fast', 'other'] })).toBe(1)
  expect(await total({ rating_min: 0.5 })).toBe(1)
  expect(await total({ rating_max: 0.5 })).toBe(1)
  expect(await total({ monitor_ids: ['mon'] })).toBe(3)
  expect(await total({ monitor_ids: ['mon*'] })).toBe(4)
  expect(await total({ scorer_ids: ['accuracy', 'to*'] })).toBe(3)
  expect(await total({ span_agent_names: ['bot'] })).toBe(1)
  expect(await total({ span_types: ['agent_turn'] })).toBe(0)
  const [bucket] = await aggregate({ time_bucket_seconds: 86_400, scorer_ids: ['tone'] })
  expect(Number(bucket?.['time_bucket_start_ms']) % 86_400_000).toBe(0)
})

test('the payload schema is inferred from the newest feedback of each trigger', async () => {
  const response = await server.post('/feedback/payload_schema', {
    project_id: PROJECT,
    start,
    feedback_type: 'quality',
  })
  expect(response).toEqual({
    paths: [
      { json_path: 'label', value_type: 'categorical' },
      { json_path: 'list', value_type: 'numeric' },
      { json_path: 'output.ok', value_type: 'boolean' },
      { json_path: 'output.score', value_type: 'categorical' },
      { json_path: 'two words', value_type: 'numeric' },
    ],
  })
})
