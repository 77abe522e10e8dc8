import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { NativeCheckbox } from './native-checkbox.tsx'
import { renderOnPage } from './test-page.tsx'

function All() {
  const [selected, setSelected] = useState(1)
  return (
    <NativeCheckbox
      aria-label="Select all"
      checked={selected === 3}
      indeterminate={selected > 0 && selected < 3}
      onChange={({ target }) => setSelected(target.checked ? 3 : 0)}
    />
  )
}

test('a checkbox for some of many is neither on nor off, until it is clicked', async () => {
  const user = renderOnPage(<All />)
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' })
  expect([box.checked, box.indeterminate]).toEqual([false, true])
  await user.click(box)
  expect([box.checked, box.indeterminate]).toEqual([true, false])
  await user.keyboard(' ')
  expect([box.checked, box.indeterminate]).toEqual([false, false])
})
