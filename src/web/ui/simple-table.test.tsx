import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type SimpleColumn, SimpleTable } from './simple-table.tsx'
import { renderOnPage } from './test-page.tsx'

interface Model {
  readonly name: string
  readonly calls: number
}

const COLUMNS: readonly SimpleColumn<Model>[] = [
  { label: 'Model', isRowHeader: true, title: ({ name }) => `model ${name}`, cell: ({ name }) => name },
  { label: 'Calls', isNumber: true, cell: ({ calls }) => calls },
  { label: 'Delete', isLabelHidden: true, cell: (_, index) => <button type="button">Delete {index}</button> },
]
const HOSTILE = '<b>bold</b>'
const ROWS: readonly Model[] = [
  { name: 'small', calls: 3 },
  { name: HOSTILE, calls: 0 },
]
const rowKey = ({ name }: Model) => name

test('a table has a name, and headers for its columns and rows', () => {
  renderOnPage(<SimpleTable caption="Models" columns={COLUMNS} rows={ROWS} rowKey={rowKey} />)
  const table = screen.getByRole('table', { name: 'Models' })
  const texts = (role: string): (string | null)[] =>
    within(table)
      .getAllByRole(role)
      .map(({ textContent }) => textContent)
  expect(texts('columnheader')).toEqual(['Model', 'Calls', 'Delete'])
  expect(texts('rowheader')).toEqual(['small', HOSTILE])
  expect(texts('cell')).toEqual(['3', 'Delete 0', '0', 'Delete 1'])
  expect(table.querySelector('b')).toBeNull()
  expect(screen.getByRole('rowheader', { name: 'small' }).title).toBe('model small')
  expect(table.hasAttribute('aria-busy')).toBe(false)
})

test('an empty table has its columns and footer, and no rows', () => {
  renderOnPage(
    <SimpleTable
      caption="Models"
      columns={COLUMNS}
      rows={[]}
      rowKey={rowKey}
      footer={
        <tr>
          <td>Total: 0</td>
        </tr>
      }
    />,
  )
  expect(screen.getAllByRole('columnheader').length).toBe(3)
  expect(screen.queryByRole('rowheader')).toBeNull()
  expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['Total: 0'])
})

test('a table that loads says so and keeps its rows', () => {
  renderOnPage(<SimpleTable caption="Models" columns={COLUMNS} rows={ROWS} rowKey={rowKey} isBusy />)
  const table = screen.getByRole('table', { name: 'Models' })
  expect(table.getAttribute('aria-busy')).toBe('true')
  expect(within(table).getAllByRole('row').length).toBe(3)
})

test('only the current row is marked', () => {
  renderOnPage(
    <SimpleTable columns={COLUMNS} rows={ROWS} rowKey={rowKey} isCurrent={({ calls }) => calls === 3} />,
  )
  expect(screen.getAllByRole('row').map((row) => row.getAttribute('data-current'))).toEqual([
    null,
    'true',
    null,
  ])
})

test('a wide table is in a region that the keyboard can scroll', async () => {
  const user = renderOnPage(<SimpleTable region="Models" columns={COLUMNS} rows={ROWS} rowKey={rowKey} />)
  const region = screen.getByRole('region', { name: 'Models' })
  expect(within(region).getByRole('table')).toBeDefined()
  await user.tab()
  expect(document.activeElement).toBe(region)
})
