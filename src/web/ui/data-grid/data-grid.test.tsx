import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { renderOnPage } from '../test-page.tsx'
import { type GridColumn, type GridCursor, numberColumn } from './column.ts'
import { DataGrid, type LoadedPages } from './data-grid.tsx'

interface Call {
  readonly id: string
  readonly cost: number
}

const HOSTILE = '<b>\u202Eevil</b>'
const COLUMNS: readonly GridColumn<Call>[] = [
  { id: 'id', label: 'Call', width: '1fr', isRowHeader: true, isSortable: true, cell: ({ id }) => id },
  numberColumn('cost', HOSTILE, '90px', ({ cost }) => cost),
]
const WITH_BUTTON: readonly GridColumn<Call>[] = [
  ...COLUMNS,
  { id: 'x', label: 'Remove', width: '40px', cell: ({ id }) => <button type="button">Remove {id}</button> },
]
const calls = (count: number): readonly Call[] =>
  Array.from({ length: count }, (_, i) => ({ id: `call ${i}`, cost: i }))
const rowId = ({ id }: Call) => id

// happy-dom has no layout: the grid is as high as ten rows.
beforeEach(() => {
  for (const name of ['offsetHeight', 'offsetWidth', 'clientHeight'] as const)
    vi.spyOn(HTMLElement.prototype, name, 'get').mockReturnValue(330)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const names = () => screen.queryAllByRole('rowheader').map(({ textContent }) => textContent)
const grid = () => screen.getByRole('grid', { name: 'Calls' })

describe('a grid', () => {
  test('has the names of its columns and the number of its rows, of which it renders the visible ones', () => {
    renderOnPage(
      <DataGrid label="Calls" rows={calls(5000)} rowId={rowId} columns={COLUMNS} rowHeightPx={30} />,
    )
    expect(grid().getAttribute('aria-rowcount')).toBe('5001')
    expect(within(grid()).getByRole('columnheader', { name: 'Call' })).toBeDefined()
    expect(within(grid()).getByRole('columnheader', { name: String.raw`<b>\u202eevil</b>` })).toBeDefined()
    expect(names()[0]).toBe('call 0')
    expect(names().length).toBeGreaterThan(10)
    expect(names().length).toBeLessThan(50)
  })

  test('without rows has its header and footer', () => {
    renderOnPage(
      <DataGrid
        label="Calls"
        rows={[]}
        rowId={rowId}
        columns={COLUMNS}
        rowHeightPx={30}
        footer="No calls in the last hour"
      />,
    )
    expect(grid().getAttribute('aria-rowcount')).toBe('1')
    expect(names()).toEqual([])
    expect(screen.getByRole('status').textContent).toBe('No calls in the last hour')
  })

  test('that loads says so and keeps its rows', () => {
    renderOnPage(
      <DataGrid label="Calls" rows={calls(2)} rowId={rowId} columns={COLUMNS} rowHeightPx={30} isBusy />,
    )
    expect(grid().getAttribute('aria-busy')).toBe('true')
    expect(names()).toEqual(['call 0', 'call 1'])
  })
})

describe('the next page', () => {
  const render = (count: number, pages: Partial<LoadedPages>) => {
    const fetchNextPage = vi.fn(async () => {})
    const all = { hasNextPage: true, isFetchingNextPage: false, fetchNextPage, ...pages }
    renderOnPage(
      <DataGrid
        label="Calls"
        rows={calls(count)}
        rowId={rowId}
        columns={COLUMNS}
        rowHeightPx={30}
        pages={all}
      />,
    )
    return fetchNextPage
  }

  test('is fetched once where the end is near', () => {
    expect(render(20, {})).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['the end is far', 500, {}],
    ['it is being fetched', 20, { isFetchingNextPage: true }],
    ['there is none', 20, { hasNextPage: false }],
    ['there are no rows', 0, {}],
  ])('is not fetched if %s', (_, count, pages) => {
    expect(render(count, pages)).not.toHaveBeenCalled()
  })
})

test('arrow keys move the cursor within the rows, and take the focus from a button in a row', async () => {
  const user = renderOnPage(<CursorGrid />)
  screen.getByRole('button', { name: 'Remove call 1' }).focus()
  const at = async (keys: string) => {
    await user.keyboard(keys)
    return document.querySelector('[data-cursor]')?.getAttribute('aria-rowindex')
  }
  expect(await at('{ArrowUp}')).toBe('2')
  expect(await at('{ArrowDown}{ArrowDown}')).toBe('4')
  expect(await at('{End}')).toBe('11')
  expect(await at('{ArrowDown}')).toBe('11')
  expect(await at('{Home}')).toBe('2')
  expect(document.activeElement).toBe(grid())
  expect(grid().getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('row')[1]?.id)
})

test('a checkbox selects its row, with Shift a range, and the one of the header all', async () => {
  const user = renderOnPage(<SelectionGrid />)
  const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })
  const selected = () => screen.getByTestId('selected').textContent
  await user.click(box('Select call 1'))
  expect([selected(), box('Select all').indeterminate]).toEqual(['call 1', true])
  await user.keyboard('{Shift>}')
  await user.click(box('Select call 3'))
  await user.keyboard('{/Shift}')
  expect(selected()).toBe('call 1,call 2,call 3')
  await user.click(box('Select all'))
  expect([selected(), box('Select all').indeterminate]).toEqual([calls(5).map(rowId).join(','), false])
  await user.click(box('Select all'))
  expect(selected()).toBe('')
})

test('a click on a row opens it, a click on a control in it does not', async () => {
  const onOpen = vi.fn()
  const user = renderOnPage(
    <DataGrid
      label="Calls"
      rows={calls(3)}
      rowId={rowId}
      columns={WITH_BUTTON}
      rowHeightPx={30}
      onOpen={onOpen}
    />,
  )
  await user.click(screen.getByRole('button', { name: 'Remove call 1' }))
  expect(onOpen).not.toHaveBeenCalled()
  await user.click(screen.getByRole('rowheader', { name: 'call 1' }))
  expect(onOpen.mock.calls).toEqual([[{ id: 'call 1', cost: 1 }]])
})

test('a click on a header sorts by it, the next one the other way', async () => {
  const user = renderOnPage(<SortedGrid />)
  const header = () => screen.getByRole('columnheader', { name: /^Call/ }).getAttribute('aria-sort')
  expect(header()).toBe('none')
  await user.click(screen.getByRole('button', { name: /^Call/ }))
  await waitFor(() => expect(header()).toBe('descending'))
  await user.click(screen.getByRole('button', { name: /^Call/ }))
  await waitFor(() => expect(header()).toBe('ascending'))
})

const TEN = calls(10)
const FIVE = calls(5)

function CursorGrid() {
  const [cursor, setCursor] = useState<GridCursor>()
  return (
    <DataGrid
      label="Calls"
      rows={TEN}
      rowId={rowId}
      columns={WITH_BUTTON}
      rowHeightPx={30}
      cursor={cursor}
      onCursor={setCursor}
    />
  )
}

function SelectionGrid() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  return (
    <>
      <DataGrid
        label="Calls"
        rows={FIVE}
        rowId={rowId}
        columns={COLUMNS}
        rowHeightPx={30}
        selection={{ selected, onSelect: setSelected, label: ({ id }) => `Select ${id}`, hasAll: true }}
      />
      <p data-testid="selected">{[...selected].toSorted().join(',')}</p>
    </>
  )
}

function SortedGrid() {
  const [sort, setSort] = useState<{ readonly id: string; readonly desc: boolean }>()
  return (
    <DataGrid
      label="Calls"
      rows={FIVE}
      rowId={rowId}
      columns={COLUMNS}
      rowHeightPx={30}
      {...(sort !== undefined && { sort })}
      onSort={setSort}
    />
  )
}
