import { screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../client/browser/api-error.ts'
import { EmptyState } from './empty-state.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { LINK, LinkList, LinkRow } from './link-list.tsx'
import { Page, PageHeader } from './page.tsx'
import { renderOnPage } from './test-page.tsx'

const HOSTILE = '<img src=x onerror="document.title=1">'

test('a page has one heading with its title, a summary and actions', () => {
  renderOnPage(
    <Page aria-busy>
      <PageHeader title="Threads" summary="12 and more">
        <button type="button">New</button>
      </PageHeader>
      <p>Content</p>
    </Page>,
  )
  const header = screen.getByRole('banner')
  expect(screen.getAllByRole('heading').map((each) => [each.tagName, each.textContent])).toEqual([
    ['H1', 'Threads'],
  ])
  expect(header.textContent).toBe('Threads12 and moreNew')
  expect(header.parentElement?.getAttribute('aria-busy')).toBe('true')
})

test('an empty state says why, and what to do next', async () => {
  const onClear = vi.fn()
  const user = renderOnPage(
    <EmptyState
      icon="threads"
      title="No matching threads"
      actions={
        <button type="button" onClick={onClear}>
          Clear search
        </button>
      }
    >
      No thread contains “{HOSTILE}”.
    </EmptyState>,
  )
  expect(screen.getByRole('status').textContent).toContain(`No thread contains “${HOSTILE}”.`)
  expect(document.querySelector('img')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(onClear).toHaveBeenCalledTimes(1)
})

describe('an error', () => {
  const texts = (error: unknown) => {
    renderOnPage(<ErrorNotice error={error} />)
    return [...screen.getByRole('alert').querySelectorAll('h2, p')].map(({ textContent }) =>
      textContent?.trim(),
    )
  }

  test.each([
    [
      new ApiError('forbidden', 'you are not a member; ask an admin of the project'),
      ['Access denied', 'You are not a member; ask an admin of the project.'],
    ],
    [new ApiError('not_found', 'no such call'), ['Not found', 'No such call. It may have been deleted.']],
    [new ApiError('rate_limited', 'try again in 5 s.'), ['Rate limit exceeded', 'Try again in 5 s.']],
    [
      new ApiError('timeout', 'took 60 s'),
      ['Request timed out', 'Choose a shorter time range or a narrower filter.'],
    ],
    [new ApiError('storage_full', 'free some'), ['Server disk is full', 'Free some.']],
    [new ApiError('unauthenticated', 'no session'), ['Sign in again', 'Your session has ended.']],
    [new ApiError('unavailable', 'starting'), ['Request failed', 'Starting.']],
    [
      new ApiError('internal', 'bug', { extra: { request_id: 'r-1' } }),
      ['Request failed', 'Bug.', 'Request id: r-1'],
    ],
  ])('of the API says what to do: %s', (error, expected) => {
    expect(texts(error)).toEqual(expected)
  })

  const REPORT = 'Reload the page. If the error persists, please report it.'

  test.each([
    [new TypeError('Failed to fetch'), `Failed to fetch. ${REPORT}`],
    [new Error('the file is not JSON.'), `The file is not JSON. ${REPORT}`],
    [new Error(''), REPORT],
    ['a text', `A text. ${REPORT}`],
  ])('of the page says to report it: %s', (error, expected) => {
    expect(texts(error)).toEqual(['Something went wrong', expected])
  })

  test('is text, whatever it contains', () => {
    expect(texts(new Error(HOSTILE))[1]).toContain(HOSTILE)
    expect(document.querySelector('img')).toBeNull()
  })

  test('offers to try again only where that is possible', async () => {
    const retry = vi.fn()
    const user = renderOnPage(<ErrorNotice error={new Error('x')} retry={retry} />)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(retry).toHaveBeenCalledTimes(1)
  })

  test('has no button otherwise', () => {
    renderOnPage(<ErrorNotice error={new Error('x')} />)
    expect(screen.queryByRole('button')).toBeNull()
  })
})

test('a list of links has a name, and a row for each', () => {
  renderOnPage(
    <LinkList label="Dashboards" columns="1fr auto">
      {['Costs', HOSTILE].map((name) => (
        <LinkRow key={name}>
          <a className={LINK} href="/">
            {name}
          </a>
        </LinkRow>
      ))}
    </LinkList>,
  )
  const list = screen.getByRole('list', { name: 'Dashboards' })
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual(['Costs', HOSTILE])
  expect(list.style.getPropertyValue('--columns')).toBe('1fr auto')
  expect(list.style.getPropertyValue('--narrow-columns')).toBe('1fr auto')
})
