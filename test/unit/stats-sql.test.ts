import { expect, test } from 'vitest'
import { RawJson } from '../../src/contract/raw-json.ts'
import { parseQuery } from '../../src/core/query/parse.ts'
import {
  callColumns,
  countStatement,
  selectByKeys,
  selectCalls,
  selectPage,
} from '../../src/store/calls/read/select-calls.ts'
import { RefJoins } from '../../src/store/calls/read/ref-joins.ts'
import { callConditions, callOrder } from '../../src/store/calls/read/selection.ts'
import {
  callMeasures,
  selectCallStats,
  selectPricedUsage,
  selectUsageStats,
  tokenMeasures,
} from '../../src/store/calls/read/stats.ts'
import { selectTraceSizes, sizeStatement } from '../../src/store/calls/read/sizes.ts'
import { selectAggregate } from '../../src/store/feedback/feedback-aggregate.ts'
import {
  feedbackMeasures,
  selectFeedbackStats,
  selectFeedbackTotals,
  selectPayloadSamples,
} from '../../src/store/feedback/feedback-stats.ts'
import { selectChangedBuckets } from '../../src/store/calls/read/cached-aggregates.ts'
import { selectBuckets } from '../../src/store/metrics/project-stats.ts'
import { selectThreads } from '../../src/store/calls/read/threads.ts'
import type { Sql } from '../../src/store/query/sql.ts'
import { HOSTILE, show } from './statements.ts'

/** Snapshots of the statements with ref joins and of the aggregates. */

const PROJECT = 'acme/demo'
const WHOLE = { limit: undefined, offset: undefined }

function withRefJoins(limit: number | undefined, write: 'list' | 'count' | 'size'): Sql {
  const refJoins = new RefJoins(PROJECT, [`inputs.${HOSTILE}`, `inputs.${HOSTILE}.b`, 'output', 'op_name'])
  const field = (name: string) => ({ $getField: name })
  const query = parseQuery(
    RawJson.fromValue({ $expr: { $eq: [field(`inputs.${HOSTILE}.b.${HOSTILE}`), { $literal: HOSTILE }] } }),
  )
  const conditions = callConditions(PROJECT, { trace_ids: [HOSTILE] }, query, { refJoins })
  if (write === 'count') return countStatement(PROJECT, conditions, limit, refJoins)
  if (write === 'size') return sizeStatement(PROJECT, conditions, refJoins)
  const order = callOrder(PROJECT, [{ field: 'output.0.x', direction: 'desc' }], { refJoins })
  const columns = callColumns(['id'])
  const page = { limit, offset: undefined }
  const selection = { project_id: PROJECT, conditions, order, columns, page, refJoins, with_size: true }
  return limit === undefined ? selectCalls(selection) : selectPage(selection)
}

test('the statements with ref joins bind every value and name the project each time', async () => {
  await expect(
    show([
      ['calls of a page', withRefJoins(10, 'list')],
      [
        'calls by key',
        selectByKeys({ project_id: PROJECT, columns: callColumns(['id']) }, [{ id: HOSTILE, started: '1' }]),
      ],
      ['calls: ref joins, no limit', withRefJoins(undefined, 'list')],
      ['calls counted: ref joins', withRefJoins(undefined, 'count')],
      ['calls size: ref joins', withRefJoins(undefined, 'size')],
      ['calls size: all', sizeStatement(PROJECT, [])],
      ['traces size', selectTraceSizes(PROJECT, [HOSTILE])],
    ]),
  ).toMatchFileSnapshot('./snapshots/calls-ref-joins.sql')
})

const buckets = { start: 1_000_000n, end: 7_200_000_000n, seconds: 3600, timezone: 'UTC' }
const elsewhere = { ...buckets, timezone: HOSTILE }

test('the statements that aggregate calls bind every value', async () => {
  const selection = { project_id: PROJECT, filter: { op_names: [HOSTILE], trace_roots_only: true }, buckets }
  const latency = callMeasures([
    { metric: 'latency_ms', aggregations: ['avg', 'count'], percentiles: [99.5] },
    { metric: 'error_count' },
  ])
  const tokens = tokenMeasures([{ metric: 'input_tokens' }, { metric: 'total_tokens', percentiles: [50] }])
  await expect(
    show([
      ['time buckets', selectBuckets(buckets)],
      ['time buckets: in a time zone', selectBuckets(elsewhere)],
      ['call stats', selectCallStats(selection, latency)],
      ['usage stats', selectUsageStats(selection, tokens, 'extracted')],
      ['usage stats: documents too', selectUsageStats(selection, tokens, 'documents')],
      ['usage to price', selectPricedUsage({ ...selection, changes: [5n, 6n] }, 'extracted')],
      [
        'usage to price: parts of the time',
        selectPricedUsage(
          { ...selection, changes: [], ranges: [buckets, { start: 8n, end: 9n }] },
          'extracted',
        ),
      ],
      ['buckets changed since cached', selectChangedBuckets(selection.project_id, elsewhere, 5n)],
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

test('the statements that aggregate feedback bind every value', async () => {
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
        'feedback aggregate: all options',
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
