import { screen, within } from '@testing-library/react'
import { useRef, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { renderOnPage } from './test-page.tsx'
import type { TreeRow } from './tree-rows.ts'
import { Tree } from './tree.tsx'

const ROWS: readonly TreeRow[] = [
  { id: 'a', name: 'agent', depth: 0, childCount: 2, isCollapsed: false },
  { id: 'b', name: 'search', depth: 1, childCount: 3, isCollapsed: true },
  { id: 'c', name: 'answer', depth: 1, childCount: 0, isCollapsed: false },
]

function Page({ onToggle }: { readonly onToggle: (id: string) => void }) {
  const [selected, setSelected] = useState('b')
  const scroller = useRef<HTMLDivElement>(null)
  return (
    <Tree
      label="Calls"
      regionLabel="Tree of calls"
      rows={ROWS}
      virtual={{ scroller, heightPx: 90, visible: ROWS.map((row, i) => ({ row, startPx: 30 * i })) }}
      selected={selected}
      rowClassName={undefined}
      maxIndentDepth={8}
      onSelect={setSelected}
      onToggle={onToggle}
    >
      {(row, handle, childCount) => (
        <>
          {handle}
          {row.name}
          {childCount}
        </>
      )}
    </Tree>
  )
}

const selected = () => screen.getByRole('treeitem', { selected: true }).textContent

test('a tree says what is selected, how deep it is, and what is collapsed', () => {
  renderOnPage(<Page onToggle={() => {}} />)
  const items = within(screen.getByRole('tree', { name: 'Calls' })).getAllByRole('treeitem')
  const attributes = ['aria-level', 'aria-selected', 'aria-expanded']
  expect(items.map((item) => attributes.map((name) => item.getAttribute(name)))).toEqual([
    ['1', 'false', 'true'],
    ['2', 'true', 'false'],
    ['2', 'false', null],
  ])
})

test('a click selects a row, a click on its arrow only toggles it', async () => {
  const onToggle = vi.fn()
  const user = renderOnPage(<Page onToggle={onToggle} />)
  expect(selected()).toBe('search3')
  await user.click(screen.getByText('answer'))
  expect([selected(), onToggle.mock.calls]).toEqual(['answer', []])
  await user.click(screen.getByRole('button', { name: 'Expand search' }))
  await user.click(screen.getByRole('button', { name: 'Collapse agent' }))
  expect([selected(), onToggle.mock.calls]).toEqual(['answer', [['b'], ['a']]])
})

test('Home and End select the first and the last row', async () => {
  const user = renderOnPage(<Page onToggle={() => {}} />)
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Tree of calls' }))
  await user.keyboard('{End}')
  expect(selected()).toBe('answer')
  await user.keyboard('{Home}')
  expect(selected()).toBe('agent')
})
