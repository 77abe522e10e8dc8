import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CopyButton } from './copy-button.tsx'
import { renderOnPage } from './test-page.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('isSecureContext', true)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const button = () => screen.getByRole('button')
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const copied = () => navigator.clipboard.readText()

test('a click copies the text and says so, for a while', async () => {
  renderOnPage(<CopyButton text="hd_secret" label="Copy API key" hasLabel />)
  expect(button().textContent).toBe('Copy API key')
  fireEvent.click(button())
  await wait(100)
  expect([await copied(), button().textContent]).toEqual(['hd_secret', 'Copied'])
  await wait(2000)
  expect(button().textContent).toBe('Copy API key')
})

test('an icon has a name, and copies a text that must be loaded first', async () => {
  const load = () => new Promise<string>((resolve) => setTimeout(() => resolve('loaded'), 5000))
  renderOnPage(<CopyButton text={load} label="Copy link" />)
  fireEvent.mouseEnter(screen.getByRole('button', { name: 'Copy link' }))
  fireEvent.click(button())
  await wait(4000)
  expect(screen.queryByText('Copied')).toBeNull()
  await wait(1100)
  expect(screen.getByText('Copied')).toBeDefined()
  expect(await copied()).toBe('loaded')
})

test('a failure is shown, not thrown', async () => {
  const text = () => Promise.reject(new Error('gone'))
  renderOnPage(<CopyButton text={text} label="Copy" hasLabel />)
  fireEvent.click(button())
  await wait(100)
  expect(button().textContent).toBe('Copy failed')
})

test('without a clipboard API, which plain HTTP has not, a field is copied and the focus stays', async () => {
  vi.stubGlobal('isSecureContext', false)
  const selected: string[] = []
  document.execCommand = (command: string) => {
    const field = document.activeElement as HTMLTextAreaElement
    selected.push(`${command} ${field.value.slice(field.selectionStart, field.selectionEnd)}`)
    return true
  }
  renderOnPage(<CopyButton text="hd_secret" label="Copy" hasLabel />)
  button().focus()
  fireEvent.click(button())
  await wait(100)
  expect(button().textContent).toBe('Copied')
  expect(selected).toEqual(['copy hd_secret'])
  expect(document.querySelector('textarea')).toBeNull()
  expect(document.activeElement).toBe(button())
})
