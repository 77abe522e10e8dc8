import { expect, test } from 'vitest'
import { JsonText } from '../../client/browser/json-text.ts'
import { objectMembers } from '../named-objects/use-named-objects.ts'
import { changeCharts, type ChartDefinition, parseDashboard } from './definition.ts'
import { measureFormat, measureLabel, measureSearch } from './measures.ts'

const parse = (charts: unknown): readonly ChartDefinition[] =>
  parseDashboard({
    object_id: 'd',
    label: 'D',
    user: null,
    savedAt: '',
    members: objectMembers(JsonText.of({ label: 'D', charts })),
  }).charts

const cost: ChartDefinition = {
  id: 'a',
  source: 'metric',
  title: 'Cost',
  measure: 'cost',
  scope: 'traces',
  kind: 'bar',
  width: 'whole',
  group: 'model',
  filter: 'environment = prod',
}
const score: ChartDefinition = {
  id: 'b',
  source: 'metric',
  title: '',
  measure: 'avg(scores.helpful)',
  scope: 'calls',
  kind: 'line',
  width: 'half',
}
const query: ChartDefinition = { id: 'c', source: 'sql', title: '', query: 'slow-ops-1', width: 'half' }

test('charts are read as they were saved', () => {
  expect(parse([cost, score, query])).toEqual([cost, score, query])
})

test('what other tools wrote is read as far as it makes a chart', () => {
  expect(parse(null)).toEqual([])
  expect(parse({ measure: 'count' })).toEqual([])
  expect(parse([null, 1, {}, { measure: 'nothing' }, { source: 'sql' }])).toEqual([])
  expect(parse([{ measure: 'errors', kind: 'pie', width: 7, scope: 'x', group: '' }])).toEqual([
    {
      id: 'chart-0',
      source: 'metric',
      title: '',
      measure: 'errors',
      scope: 'traces',
      kind: 'line',
      width: 'half',
    },
  ])
  expect(parse([cost, cost])).toEqual([cost])
  expect(parse(Array.from({ length: 80 }, () => ({ measure: 'count' })))).toHaveLength(50)
})

test('charts are added, replaced, moved and removed by id', () => {
  const ids = (charts: readonly ChartDefinition[]): string => charts.map(({ id }) => id).join('')
  const charts = [cost, score]
  expect(ids(changeCharts(charts, { kind: 'put', chart: query }))).toBe('abc')
  expect(changeCharts(charts, { kind: 'put', chart: { ...score, title: 'New' } })[1]?.title).toBe('New')
  expect(ids(changeCharts(charts, { kind: 'move', id: 'b', by: -1 }))).toBe('ba')
  expect(ids(changeCharts(charts, { kind: 'move', id: 'b', by: 1 }))).toBe('ab')
  expect(ids(changeCharts(charts, { kind: 'move', id: 'gone', by: -1 }))).toBe('ab')
  expect(ids(changeCharts(charts, { kind: 'remove', id: 'a' }))).toBe('b')
})

test('a measure has a label, a format and the calls it is made of', () => {
  expect(measureLabel('avg(scores.helpful)')).toBe('Average of scores.helpful')
  expect(measureLabel('p95(summary.weave.latency_ms)')).toBe('p95 of latency')
  expect(measureFormat('p95(latency)')(1500)).toBe(measureFormat('p95_latency_ms')(1500))
  expect(measureFormat('sum(cost)')(1)).toBe(measureFormat('cost')(1))
  expect(measureFormat('count(reaction)')(12_345)).toBe(measureFormat('count')(12_345))
  expect(measureSearch('errors')).toEqual({ filter: 'status = error' })
  expect(measureSearch('count(reaction)')).toEqual({ filter: 'reaction exists' })
})
