import { useSearch } from '@tanstack/react-router'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { readSearch, type SearchChange } from './search-state.ts'
import { renderAt } from './ui/test-page.tsx'
import { useChangeSearch } from './use-change-search.ts'

const HERE = '/acme/shop/weave/threads'

/** Shows its state, and has a button that changes it. */
function Page(props: { readonly change: SearchChange<'threads'>; readonly replace?: boolean }) {
  const state = readSearch.threads(useSearch({ strict: false }))
  const change = useChangeSearch('threads', { replace: props.replace === true })
  return (
    <>
      <output>{JSON.stringify(state)}</output>
      <button type="button" onClick={() => change(props.change)}>
        Change
      </button>
    </>
  )
}

const state = () => JSON.parse(screen.getByRole('status').textContent) as unknown

test('a change keeps the other parameters, and the back button undoes it', async () => {
  const { user, here, back } = await renderAt(
    `${HERE}?range=7d&text=late`,
    <Page change={{ text: undefined, sort: '-calls' }} />,
  )
  expect(state()).toEqual({ range: '7d', text: 'late' })
  await user.click(screen.getByRole('button'))
  await waitFor(() => expect(state()).toEqual({ range: '7d', sort: '-calls' }))
  expect(here()).toBe(`${HERE}?range=7d&sort=-calls`)
  back()
  await waitFor(() => expect(state()).toEqual({ range: '7d', text: 'late' }))
})

test('a change can replace the address', async () => {
  const { user, here } = await renderAt(HERE, <Page change={{ text: 'late' }} replace />)
  await user.click(screen.getByRole('button'))
  await waitFor(() => expect(here()).toBe(`${HERE}?text=late`))
})

test.each([
  '<img src=x onerror=alert(1)>',
  'a&sort=evil#hash?range=all',
  '50 % of 1+1 %2F %',
  'status = "error", tag:x/y',
  '__proto__',
  '\u0000\n\t\u202E"\\',
  '💥 ünïcode',
  'null',
  '{"a":[1]}',
])('the hostile text %j comes back as it was', async (text) => {
  const { user, here } = await renderAt(`${HERE}?range=7d`, <Page change={{ text }} />)
  await user.click(screen.getByRole('button'))
  await waitFor(() => expect(state()).toEqual({ range: '7d', text }))
  expect(new URL(here(), 'https://heddle.test').pathname).toBe(HERE)
})
