import { expect, test } from 'vitest'
import { RawJson } from '../../src/contract/raw-json.ts'
import { parseQuery } from '../../src/core/query/parse.ts'
import {
  callColumns,
  countStatement,
  selectByKeys,
  selectCalls,
  selectPage,
} from '../../src/store/calls/read.ts'
import { RefHops } from '../../src/store/calls/ref-joins.ts'
import { callConditions, callOrder } from '../../src/store/calls/selection.ts'
import {
  callMeasures,
  selectCallStats,
  selectPricedUsage,
  selectUsageStats,
  tokenMeasures,
} from '../../src/store/calls/stats.ts'
import { selectTraceSizes, sizeStatement } from '../../src/store/calls/sizes.ts'
import { selectAggregate } from '../../src/store/feedback/feedback-aggregate.ts'
import {
  feedbackMeasures,
  selectFeedbackStats,
  selectFeedbackTotals,
  selectPayloadSamples,
} from '../../src/store/feedback/feedback-stats.ts'
import { selectChanges } from '../../src/store/calls/cached-aggregates.ts'
import { selectBuckets } from '../../src/store/metrics/project-stats.ts'
import { selectThreads } from '../../src/store/calls/threads.ts'
import type { Sql } from '../../src/store/query/sql.ts'
import { HOSTILE, show } from './statements.ts'

/** Statements that look through refs, and those that add up. */

const PROJECT = 'acme/demo'
const WHOLE = { limit: undefined, offset: undefined }

function behindRefs(limit: number | undefined, write: 'list' | 'count' | 'size'): Sql {
  const hops = new RefHops(PROJECT, [`inputs.${HOSTILE}`, `inputs.${HOSTILE}.b`, 'output', 'op_name'])
  const field = (name: string) => ({ $getField: name })
  const query = parseQuery(
    RawJson.of({ $expr: { $eq: [field(`inputs.${HOSTILE}.b.${HOSTILE}`), { $literal: HOSTILE }] } }),
  )
  const conditions = callConditions(PROJECT, { trace_ids: [HOSTILE] }, query, hops)
  if (write === 'count') return countStatement(PROJECT, conditions, limit, hops)
  if (write === 'size') return sizeStatement(PROJECT, conditions, hops)
  const order = callOrder(PROJECT, [{ field: 'output.0.x', direction: 'desc' }], hops)
  const columns = callColumns(['id'])
  const page = { limit, offset: undefined }
  const selection = { project_id: PROJECT, conditions, order, columns, page, hops, with_size: true }
  return limit === undefined ? selectCalls(selection) : selectPage(selection)
}

test('the statements that look through refs bind every value and name the project each time', async () => {
  await expect(
    show([
      ['calls of a page', behindRefs(10, 'list')],
      [
        'calls by key',
        selectByKeys({ project_id: PROJECT, columns: callColumns(['id']) }, [{ id: HOSTILE, started: '1' }]),
      ],
      ['calls: behind refs, no limit', behindRefs(undefined, 'list')],
      ['calls counted: behind refs', behindRefs(undefined, 'count')],
      ['calls size: behind refs', behindRefs(undefined, 'size')],
      ['calls size: all', sizeStatement(PROJECT, [])],
      ['traces size', selectTraceSizes(PROJECT, [HOSTILE])],
    ]),
  ).toMatchFileSnapshot('./snapshots/calls-ref-joins.sql')
})

const buckets = { start: 1_000_000n, end: 7_200_000_000n, seconds: 3600, timezone: 'UTC' }
const elsewhere = { ...buckets, timezone: HOSTILE }

test('the statements that add calls up bind every value', async () => {
  const selection = { project_id: PROJECT, filter: { op_names: [HOSTILE], trace_roots_only: true }, buckets }
  const latency = callMeasures([
    { metric: 'latency_ms', aggregations: ['avg', 'count'], percentiles: [99.5] },
    { metric: 'error_count' },
  ])
  const tokens = tokenMeasures([{ metric: 'input_tokens' }, { metric: 'total_tokens', percentiles: [50] }])
  await expect(
    show([
      ['time buckets', selectBuckets(buckets)],
      ['time buckets: by the clock of a place', selectBuckets(elsewhere)],
      ['call stats', selectCallStats(selection, latency)],
      ['usage stats', selectUsageStats(selection, tokens, 'narrow')],
      ['usage stats: documents too', selectUsageStats(selection, tokens, 'whole')],
      ['usage to price', selectPricedUsage({ ...selection, changes: [5n, 6n] }, 'narrow')],
      [
        'usage to price: parts of the time',
        selectPricedUsage(
          { ...selection, changes: [], stretches: [buckets, { start: 8n, end: 9n }] },
          'narrow',
        ),
      ],
      ['changes since sums were kept', selectChanges(selection.project_id, elsewhere, 5n)],
      [
        'threads',
        selectThreads({
          project_id: PROJECT,
          after: 1n,
          before: 2n,
          thread_ids: [HOSTILE],
          sort_by: [{ field: 'turn_count', direction: 'desc' }],
          limit: 10,
          offset: 5,
        }),
      ],
      [
        'threads: all',
        selectThreads({
          project_id: PROJECT,
          after: undefined,
          before: undefined,
          thread_ids: [],
          sort_by: null,
          ...WHOLE,
        }),
      ],
    ]),
  ).toMatchFileSnapshot('./snapshots/calls-stats.sql')
})

test('the statements that add feedback up bind every value', async () => {
  const selection = {
    project_id: PROJECT,
    start: 1n,
    end: 2n,
    feedback_type: HOSTILE,
    trigger_ref: `${HOSTILE}:*`,
  }
  const measures = feedbackMeasures([
    { json_path: HOSTILE, percentiles: [5] },
    { json_path: 'output.ok', value_type: 'boolean' },
    { json_path: 'label', value_type: 'categorical', aggregations: ['count'] },
  ])
  await expect(
    show([
      ['feedback stats', selectFeedbackStats(selection, elsewhere, measures)],
      ['feedback totals', selectFeedbackTotals(selection, measures)],
      ['feedback samples', selectPayloadSamples({ ...selection, trigger_ref: HOSTILE }, 10)],
      [
        'feedback aggregate: everything asked',
        selectAggregate({
          project_id: PROJECT,
          after_ms: 0,
          before_ms: 9_000_000_000_000_000,
          time_bucket_seconds: 60,
          feedback_types: [HOSTILE],
          tags: [HOSTILE],
          rating_min: 0,
          rating_max: 1,
          monitor_ids: [HOSTILE, `${HOSTILE}*`],
          scorer_ids: [HOSTILE],
          span_agent_names: [HOSTILE],
          span_types: ['agent_turn'],
          group_by: ['scorer_id', 'span_status_code'],
        }),
      ],
      ['feedback aggregate', selectAggregate({ project_id: PROJECT, after_ms: 0, before_ms: 1 })],
    ]),
  ).toMatchFileSnapshot('./snapshots/feedback-stats.sql')
})
