import { expect, test } from 'vitest'
import { SEARCH_FIELDS, type SearchField } from '../../src/contract/calls/search.ts'
import { callConditions } from '../../src/store/calls/read/selection.ts'
import { selectBoundary } from '../../src/store/calls/read/page-boundary.ts'
import { indexConditions, selectSearchIndex } from '../../src/store/calls/read/search-index.ts'
import { SearchPattern } from '../../src/store/calls/read/search-pattern.ts'
import {
  type Search,
  selectFound,
  selectFoundByNote,
  selectNotedIds,
  selectNotes,
  rangeConditions,
} from '../../src/store/calls/read/search.ts'
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

const unbounded = { from: undefined, after: undefined }
const bounded = { from: 1_794_715_200_000_000n, after: { at: 1_794_801_600_000_000n, id: HOSTILE } }
const afterTime = { from: undefined, after: { at: 1_794_801_600_000_000n, id: '' } }

test('the statements of a search bind every value and read one project', async () => {
  const conditions = callConditions(PROJECT, { op_names: [HOSTILE] }, undefined)
  await expect(
    show([
      ['has a matching note', selectNotedIds(PROJECT, new SearchPattern(HOSTILE))],
      ['search: everywhere', selectFound(search(HOSTILE), unbounded, 51)],
      [
        'search: one field, narrowed, with an index',
        selectFound(
          search('Zürich "Hbf"', {
            fields: new Set<SearchField>(['inputs']),
            conditions,
            indexed: indexConditions('words', 'Zürich "Hbf"'),
          }),
          bounded,
          51,
        ),
      ],
      [
        'search by note',
        selectFoundByNote(search(HOSTILE, { fields: new Set<SearchField>(['note']) }), afterTime, 51),
      ],
      ['matching notes', selectNotes(PROJECT, new SearchPattern('a'), [HOSTILE, 'b'])],
      ['page boundary', selectBoundary(PROJECT, rangeConditions(bounded), 'desc', 4_096)],
      ['search index', selectSearchIndex],
    ]),
  ).toMatchFileSnapshot('./snapshots/search.sql')
})

test('the index is queried only for runs of ASCII letters and digits, which no escape can split', () => {
  expect(indexConditions('off', 'anything')).toEqual([])
  expect(indexConditions('words', 'Zürich 今天 ab-c "x"')).toHaveLength(1)
  expect(indexConditions('words', 'über Größe')).toHaveLength(0)
  expect(indexConditions('words', 'one three five seven nine eleven')).toHaveLength(3)
})
