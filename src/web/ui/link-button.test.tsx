import { Menu } from '@mantine/core'
import { createEvent, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { parseSearch } from '../search-text.ts'
import { LinkButton, LinkIcon, LinkMenuItem } from './link-button.tsx'
import { renderAt } from './test-page.tsx'

const TO = '/$entity/$project/weave/threads'
const PARAMS = { entity: 'acme', project: 'shop' }
const ADDRESS = '/acme/shop/weave/threads'

test('a link that looks like a button is a link', async () => {
  const { user, here } = await renderAt(
    '/projects',
    <LinkButton to={TO} params={PARAMS} search={{ text: 'refund' }}>
      Threads
    </LinkButton>,
  )
  const link = screen.getByRole('link', { name: 'Threads' })
  expect(link.getAttribute('href')).toBe(`${ADDRESS}?text=refund`)
  expect(screen.queryByRole('button')).toBeNull()
  await user.tab()
  expect(document.activeElement).toBe(link)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(here()).toBe(`${ADDRESS}?text=refund`))
})

test('an icon is a link with a name', async () => {
  const { user, here } = await renderAt(
    '/projects',
    <LinkIcon to={TO} params={PARAMS} search={{}} aria-label="Threads" />,
  )
  await user.click(screen.getByRole('link', { name: 'Threads' }))
  await waitFor(() => expect(here()).toBe(ADDRESS))
})

test('a click on a link does not load the page again, a click for a new tab is left to the browser', async () => {
  const { here } = await renderAt(
    '/projects',
    <LinkButton to={TO} params={PARAMS} search={{}}>
      Threads
    </LinkButton>,
  )
  const link = screen.getByRole('link')
  const click = (init: object): boolean => {
    const event = createEvent.click(link, { button: 0, ...init })
    fireEvent(link, event)
    return event.defaultPrevented
  }
  // happy-dom would open the page.
  link.addEventListener('click', (event) => event.preventDefault(), { once: true })
  const before = here()
  const isHandled = vi.fn()
  link.addEventListener('click', isHandled)
  click({ ctrlKey: true })
  expect([isHandled.mock.calls.length, here()]).toEqual([1, before])
  expect(click({})).toBe(true)
  await waitFor(() => expect(here()).toBe(ADDRESS))
})

test('an item of a menu is a link that the arrow keys reach, and closes the menu', async () => {
  const onClose = vi.fn()
  const { user, here } = await renderAt(
    '/projects',
    <Menu onClose={onClose}>
      <Menu.Target>
        <button type="button">Go to</button>
      </Menu.Target>
      <Menu.Dropdown>
        <LinkMenuItem to="/projects" search={{}}>
          Projects
        </LinkMenuItem>
        <LinkMenuItem to={TO} params={PARAMS} search={{}}>
          Threads
        </LinkMenuItem>
      </Menu.Dropdown>
    </Menu>,
  )
  await user.click(screen.getByRole('button', { name: 'Go to' }))
  const menu = await screen.findByRole('menu', { hidden: true })
  await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true))
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.activeElement?.tagName).toBe('A')
  expect(document.activeElement?.getAttribute('href')).toBe(ADDRESS)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(here()).toBe(ADDRESS))
  expect(onClose).toHaveBeenCalledTimes(1)
})

test.each(['javascript:alert(1)', '//example.com', '"><script>', '../../projects', 'a b?c#d&e=f%', '50 %2F'])(
  'the hostile name %s stays within the link',
  async (name) => {
    await renderAt(
      '/projects',
      <LinkButton
        to="/$entity/$project/weave/threads/$thread_id"
        params={{ ...PARAMS, thread_id: name }}
        search={{ text: name } as never}
      >
        {name}
      </LinkButton>,
    )
    const link = screen.getByRole<HTMLAnchorElement>('link')
    expect(link.textContent).toBe(name)
    const url = new URL(link.getAttribute('href') ?? '', 'https://heddle.test/projects')
    expect(url.origin).toBe('https://heddle.test')
    expect(url.pathname.split('/').slice(0, 5)).toEqual(['', 'acme', 'shop', 'weave', 'threads'])
    expect(url.pathname.split('/').slice(5).map(decodeURIComponent)).toEqual([name])
    expect(parseSearch(url.search)).toEqual({ text: name })
  },
)
