import { expect, test } from 'vitest'
import { RawJson } from '../../src/contract/raw-json.ts'
import { parseQuery } from '../../src/core/query/parse.ts'
import { selectPricedUsage, selectReportedUsage } from '../../src/store/calls/stats.ts'
import {
  groupsOf,
  isAmong,
  numberMeasures,
  selectNumbers,
  selectTopGroups,
} from '../../src/store/metrics/metrics.ts'
import { selectPriceChanges } from '../../src/store/costs/prices.ts'
import { selectBuckets } from '../../src/store/metrics/project-stats.ts'
import { HOSTILE, show } from './statements.ts'

const PROJECT = 'acme/demo'
const buckets = { start: 1_000_000n, end: 7_200_000_000n, seconds: 3600, timezone: 'UTC' }
const whole = { ...buckets, calendar: 'none' as const }

test('the statements that count calls by group bind every value', async () => {
  const query = parseQuery(RawJson.of({ $expr: { $eq: [{ $getField: 'op_name' }, { $literal: HOSTILE }] } }))
  const selection = { project_id: PROJECT, filter: { op_names: [HOSTILE] }, query, buckets }
  const plain = groupsOf(PROJECT, ['op', 'day', 'user'], HOSTILE)
  const deep = groupsOf(PROJECT, ['model', `attributes.${HOSTILE}`, 'status'], 'UTC')
  const measures = numberMeasures(['count', 'errors', 'running', 'p95_latency_ms', 'cost'])
  const among = { keys: [HOSTILE], is: false }
  const priced = {
    ...selection,
    changes: [5n],
    keys: deep.keys,
    isTogether: true,
    having: isAmong(deep, among),
  }
  await expect(
    show([
      ['time buckets: months', selectBuckets({ ...buckets, calendar: 'month', timezone: HOSTILE })],
      ['time buckets: weeks', selectBuckets({ ...buckets, calendar: 'week' })],
      ['price changes', selectPriceChanges(PROJECT, 1n, 2n)],
      ['numbers of calls', selectNumbers({ ...selection, groups: plain }, measures, 'narrow', 100)],
      [
        'numbers of calls: by model and path, documents too',
        selectNumbers({ ...selection, groups: deep, buckets: whole }, measures, 'whole'),
      ],
      [
        'numbers of calls: all others',
        selectNumbers({ ...selection, groups: deep, among }, measures, 'narrow'),
      ],
      ['top groups of calls', selectTopGroups({ ...selection, groups: deep }, 'errors', 10, 'narrow')],
      [
        'top groups of calls: by tokens',
        selectTopGroups({ ...selection, groups: plain }, 'total_tokens', 10, 'narrow'),
      ],
      ['usage to price: by group', selectPricedUsage({ ...priced, isTogether: false, limit: 10 }, 'narrow')],
      ['usage to price: all others, documents too', selectPricedUsage(priced, 'whole')],
      ['usage to explain', selectReportedUsage({ ...selection, buckets: whole, changes: [] }, 'narrow')],
      [
        'usage to explain: documents too',
        selectReportedUsage({ ...selection, buckets: whole, changes: [] }, 'whole'),
      ],
    ]),
  ).toMatchFileSnapshot('./snapshots/metrics.sql')
})
