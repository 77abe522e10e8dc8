import { expect, test } from 'vitest'
import type { Metric } from '../../src/contract/metrics/metrics.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { parseQuery } from '../../src/core/query/parse.ts'
import { selectPricedUsage, selectReportedUsage } from '../../src/store/calls/read/stats.ts'
import {
  resolveGroups,
  isInGroups,
  metricMeasures,
  selectMetrics,
  selectTopGroups,
} from '../../src/store/metrics/metrics.ts'
import { selectPriceChanges } from '../../src/store/costs/prices.ts'
import { selectBuckets } from '../../src/store/metrics/project-stats.ts'
import { HOSTILE, show } from './statements.ts'

const PROJECT = 'acme/demo'
const buckets = { start: 1_000_000n, end: 7_200_000_000n, seconds: 3600, timezone: 'UTC' }
const oneBucket = { ...buckets, calendar: 'none' as const }

test('the statements that count calls by group bind every value', async () => {
  const query = parseQuery(
    RawJson.fromValue({ $expr: { $eq: [{ $getField: 'op_name' }, { $literal: HOSTILE }] } }),
  )
  const selection = { project_id: PROJECT, filter: { op_names: [HOSTILE] }, query, buckets }
  const plain = resolveGroups(PROJECT, ['op', 'day', 'user'], HOSTILE)
  const deep = resolveGroups(PROJECT, ['model', `attributes.${HOSTILE}`, 'status'], 'UTC')
  const measures = metricMeasures(['count', 'errors', 'running', 'p95_latency_ms', 'cost'], {
    project_id: PROJECT,
  })
  const fields = metricMeasures(
    [
      'avg(scores.' + HOSTILE + ')',
      'p95(inputs.' + HOSTILE + ')',
      'count(reaction)',
      'max(latency)',
    ] as Metric[],
    { project_id: PROJECT },
  )
  const among = { keys: [HOSTILE], is: false }
  const priced = {
    ...selection,
    changes: [5n],
    keys: deep.keys,
    isTotal: true,
    having: isInGroups(deep, among),
  }
  await expect(
    show([
      ['time buckets: months', selectBuckets({ ...buckets, calendar: 'month', timezone: HOSTILE })],
      ['time buckets: weeks', selectBuckets({ ...buckets, calendar: 'week' })],
      ['price changes', selectPriceChanges(PROJECT, 1n, 2n)],
      ['call metrics', selectMetrics({ ...selection, groups: plain }, measures, 'extracted', 100)],
      [
        'call metrics: by model and path, documents too',
        selectMetrics({ ...selection, groups: deep, buckets: oneBucket }, measures, 'documents'),
      ],
      [
        'call metrics: all others',
        selectMetrics({ ...selection, groups: deep, among }, measures, 'extracted'),
      ],
      [
        'call metrics: of fields, by model, documents too',
        selectMetrics({ ...selection, groups: deep }, fields, 'documents'),
      ],
      ['top groups of calls', selectTopGroups({ ...selection, groups: deep }, 'errors', 10, 'extracted')],
      [
        'top groups of calls: by tokens',
        selectTopGroups({ ...selection, groups: plain }, 'total_tokens', 10, 'extracted'),
      ],
      ['usage to price: by group', selectPricedUsage({ ...priced, isTotal: false, limit: 10 }, 'extracted')],
      ['usage to price: all others, documents too', selectPricedUsage(priced, 'documents')],
      [
        'usage to explain',
        selectReportedUsage({ ...selection, buckets: oneBucket, changes: [] }, 'extracted'),
      ],
      [
        'usage to explain: documents too',
        selectReportedUsage({ ...selection, buckets: oneBucket, changes: [] }, 'documents'),
      ],
    ]),
  ).toMatchFileSnapshot('./snapshots/metrics.sql')
})
