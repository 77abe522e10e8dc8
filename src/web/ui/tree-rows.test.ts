import { expect, test } from 'vitest'
import { treeMoves, type TreeRow } from './tree-rows.ts'

const row = (id: string, depth: number, childCount: number, isCollapsed = false): TreeRow => ({
  id,
  name: id,
  depth,
  childCount,
  isCollapsed,
})
const ROWS = [row('a', 0, 2), row('b', 1, 1), row('c', 2, 0), row('d', 1, 3, true)]

/** What one key does: `c` for a selection, `-b` for collapsing, `+b` for expanding. */
function press(selected: string, key: (moves: ReturnType<typeof treeMoves>) => void): string[] {
  const done: string[] = []
  const onToggle = (id: string, isCollapsed: boolean) => void done.push(`${isCollapsed ? '-' : '+'}${id}`)
  key(treeMoves(ROWS, selected, (id) => void done.push(id), onToggle, 'c'))
  return done
}

test('up and down stop at the ends', () => {
  expect(press('b', ({ move }) => move(1))).toEqual(['c'])
  expect(press('d', ({ move }) => move(1))).toEqual(['d'])
  expect(press('a', ({ move }) => move(-1))).toEqual(['a'])
})

test('left collapses an expanded row, and selects the parent of any other', () => {
  expect(press('b', ({ collapseOrSelectParent }) => collapseOrSelectParent())).toEqual(['-b'])
  expect(press('c', ({ collapseOrSelectParent }) => collapseOrSelectParent())).toEqual(['b'])
  expect(press('d', ({ collapseOrSelectParent }) => collapseOrSelectParent())).toEqual(['a'])
})

test('left selects the parent of a row that is collapsed away', () => {
  expect(press('e', ({ collapseOrSelectParent }) => collapseOrSelectParent())).toEqual(['c'])
})

test('right expands', () => {
  expect(press('d', ({ expand }) => expand())).toEqual(['+d'])
})
