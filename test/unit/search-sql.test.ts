import { expect, test } from 'vitest'
import { SEARCH_FIELDS, type SearchField } from '../../src/contract/calls/search.ts'
import { callConditions } from '../../src/store/calls/selection.ts'
import { selectEdge } from '../../src/store/calls/page-boundary.ts'
import { indexConditions, selectSearchIndex } from '../../src/store/calls/search-index.ts'
import { SearchPattern } from '../../src/store/calls/search-pattern.ts'
import { type Search, selectFound, selectNoted, selectNotes, within } from '../../src/store/calls/search.ts'
import { HOSTILE, show } from './statements.ts'

const PROJECT = 'acme/demo'

function search(text: string, more: Partial<Search> = {}): Search {
  return {
    project_id: PROJECT,
    pattern: new SearchPattern(text),
    fields: new Set<SearchField>(SEARCH_FIELDS),
    conditions: [],
    indexed: [],
    ...more,
  }
}

const whole = { from: undefined, behind: undefined }
const part = { from: 1_794_715_200_000_000n, behind: { at: 1_794_801_600_000_000n, id: HOSTILE } }
const upTo = { from: undefined, behind: { at: 1_794_801_600_000_000n, id: '' } }

test('the statements of a search bind every value and read one project', async () => {
  const conditions = callConditions(PROJECT, { op_names: [HOSTILE] }, undefined)
  await expect(
    show([
      ['search: everywhere', selectFound(search(HOSTILE), whole, 51)],
      [
        'search: one field, narrowed, with an index',
        selectFound(
          search('Zürich "Hbf"', {
            fields: new Set<SearchField>(['inputs']),
            conditions,
            indexed: indexConditions('words', 'Zürich "Hbf"'),
          }),
          part,
          51,
        ),
      ],
      ['search by note', selectNoted(search(HOSTILE, { fields: new Set<SearchField>(['note']) }), upTo, 51)],
      ['notes found', selectNotes(PROJECT, new SearchPattern('a'), [HOSTILE, 'b'])],
      ['edge of a span', selectEdge(PROJECT, within(part), 'desc', 4_096)],
      ['search index', selectSearchIndex],
    ]),
  ).toMatchFileSnapshot('./snapshots/search.sql')
})

test('the index is asked for parts of words that no escape can change, and for nothing else', () => {
  expect(indexConditions('off', 'anything')).toEqual([])
  expect(indexConditions('words', 'Zürich 今天 ab-c "x"')).toHaveLength(1)
  expect(indexConditions('words', 'über Größe')).toHaveLength(0)
  expect(indexConditions('words', 'one three five seven nine eleven')).toHaveLength(3)
})
