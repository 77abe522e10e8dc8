import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SearchInput } from './search-input.tsx'
import { renderOnPage } from './test-page.tsx'

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Search threads' })

/** A page that keeps the text in its URL, and gets it from there a little later. */
function Page({
  onChange,
  delayMs,
}: {
  readonly onChange: (text: string) => void
  readonly delayMs: number
}) {
  const [value, setValue] = useState('')
  return (
    <>
      <SearchInput
        label="Search threads"
        value={value}
        onChange={(text) => {
          onChange(text)
          setTimeout(() => setValue(text), delayMs)
        }}
      />
      <button type="button" onClick={() => setValue('')}>
        Clear search
      </button>
    </>
  )
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

const type = (text: string) => fireEvent.change(field(), { target: { value: field().value + text } })

function renderPage(delayMs = 0) {
  const onChange = vi.fn<(text: string) => void>()
  renderOnPage(<Page onChange={onChange} delayMs={delayMs} />)
  return onChange
}

test('the text is reported once typing pauses, without the space around it', async () => {
  const onChange = renderPage()
  type(' re')
  await wait(200)
  type('fund')
  expect(onChange).not.toHaveBeenCalled()
  await wait(400)
  expect(onChange.mock.calls).toEqual([['refund']])
})

test('a pause after a word does not take the space before the next one', async () => {
  const onChange = renderPage()
  type('late ')
  await wait(400)
  type('refund')
  await wait(400)
  expect(field().value).toBe('late refund')
  expect(onChange.mock.lastCall).toEqual(['late refund'])
})

test('what is typed while the page takes the text over is kept', async () => {
  const onChange = renderPage(100)
  type('re')
  await wait(350)
  type('fund')
  await wait(60)
  expect(field().value).toBe('refund')
  await wait(1000)
  expect(field().value).toBe('refund')
  expect(onChange.mock.calls).toEqual([['re'], ['refund']])
})

test('a text that changes elsewhere is taken over', async () => {
  renderPage()
  type('refund')
  await wait(400)
  fireEvent.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(field().value).toBe('')
})
