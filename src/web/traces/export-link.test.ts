import { expect, test } from 'vitest'
import { exportLink, exportUnavailableReason } from './export-link.ts'
import { parseListQuery } from './list-query.ts'
import type { Search } from '../search-state.ts'

const NOW = Date.parse('2026-05-08T12:00:00Z')
const project = { entity: 'ada', project: 'my shop', project_id: 'ada/my shop' }

function exportParams(search: Search<'traces'>): { filter: unknown; query: unknown; path: string } {
  const url = new URL(exportLink(project, parseListQuery(search), 'csv', NOW), 'http://localhost')
  const query = url.searchParams.get('query')
  return {
    path: url.pathname,
    filter: JSON.parse(url.searchParams.get('filter') ?? 'null'),
    query: query === null ? undefined : (JSON.parse(query) as { $expr: unknown }).$expr,
  }
}

const since = (time: string) => ({ $gte: [{ $getField: 'started_at' }, { $literal: time }] })
const until = (time: string) => ({ $lt: [{ $getField: 'started_at' }, { $literal: time }] })

test('the export is limited to the time range of the list', () => {
  const week = exportParams({})
  expect(week.path).toBe('/api/v1/projects/ada/my%20shop/export')
  expect(week.filter).toEqual({ traces_only: true })
  expect(week.query).toEqual(since('2026-05-01T12:00:00.000Z'))
  const day = exportParams({ range: '2026-05-01T00:00:00Z..2026-05-02T00:00:00Z', show: 'calls' })
  expect(day.filter).toEqual({ traces_only: false })
  expect(day.query).toEqual({ $and: [since('2026-05-01T00:00:00Z'), until('2026-05-02T00:00:00Z')] })
  expect(exportParams({ range: 'all' }).query).toBeUndefined()
})

test('the export applies the filter', () => {
  const { query } = exportParams({ filter: 'inputs.n > 2', range: '1h' })
  expect(query).toMatchObject({ $and: [{ $gt: expect.anything() }, since('2026-05-08T11:00:00.000Z')] })
})

test('a list that cannot be exported has a reason instead of a link', () => {
  expect(exportUnavailableReason(parseListQuery({}))).toBeUndefined()
  expect(exportUnavailableReason(parseListQuery({ text: 'refund' }))).toMatch(/select/)
  expect(exportUnavailableReason(parseListQuery({ filter: 'status =' }))).toMatch(/invalid/)
})
