import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { expectFocus, renderOnPage } from '../ui/test-page.tsx'
import { CopyMenu } from './copy-menu.tsx'

const project = { entity: 'acme', project: 'shop', project_id: 'acme/shop' }
const button = () => screen.getByRole('button', { name: 'Copy call as' })

afterEach(() => {
  vi.unstubAllGlobals()
})

test('the button has a menu, whose items copy and give the focus back', async () => {
  vi.stubGlobal('isSecureContext', true)
  const user = renderOnPage(<CopyMenu project={project} callId="c1" />)
  expect(button().getAttribute('aria-haspopup')).toBe('menu')
  await user.click(button())
  const menu = await screen.findByRole('menu', { hidden: true })
  expect(button().getAttribute('aria-controls')).toBe(menu.id)
  await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true))
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  await expectFocus(button)
  expect(await navigator.clipboard.readText()).toBe('c1')
})
