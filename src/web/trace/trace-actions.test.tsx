import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectFocus, renderOnPage } from '../ui/test-page.tsx'
import { TraceActions } from './trace-actions.tsx'

const project = { entity: 'acme', project: 'shop', project_id: 'acme/shop' }
const button = () => screen.getByRole('button', { name: 'Trace actions' })

test('the button has a tooltip and a menu, and the focus again after a dialog of the menu', async () => {
  const user = renderOnPage(<TraceActions project={project} callId="c1" rootId="c0" onDeleted={() => {}} />)
  await user.hover(button())
  await screen.findByRole('tooltip', { hidden: true })
  expect(button().getAttribute('aria-haspopup')).toBe('menu')
  await user.click(button())
  const menu = await screen.findByRole('menu', { hidden: true })
  expect(button().getAttribute('aria-expanded')).toBe('true')
  expect(button().getAttribute('aria-controls')).toBe(menu.id)
  await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true))
  await user.keyboard('{ArrowDown}{End}{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Delete 1 call?' })
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await expectFocus(button)
})
