import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { cleanup, configure, render, waitFor } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { expect, onTestFinished } from 'vitest'
import { parseSearch, stringifySearch } from '../search-text.ts'
import { theme } from '../theme/mantine.ts'

// Other work on the machine can slow any test.
configure({ asyncUtilTimeout: 15_000 })

/** Renders elements on an empty page, as the app does, until the test is finished. Returns somebody who uses the page. */
export function renderOnPage(element: ReactNode): UserEvent {
  onTestFinished(cleanup)
  render(element, { wrapper: Providers })
  return userEvent.setup()
}

/** The same at an address of the app. Other pages have the same content. */
export async function renderAt(
  address: string,
  element: ReactNode,
): Promise<{ readonly user: UserEvent; readonly here: () => string; readonly back: () => void }> {
  const root = createRootRoute({ component: () => element })
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createRouter({
    routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: '$' })]),
    history,
    parseSearch,
    stringifySearch,
  })
  await router.load()
  const user = renderOnPage(<RouterProvider router={router as never} />)
  return { user, here: () => history.location.href, back: () => history.back() }
}

/** A button that opens a dialog, between others. */
export function Opener(props: { readonly dialog: (isOpen: boolean, close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button">Before</button>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <button type="button">After</button>
      {props.dialog(isOpen, () => setOpen(false))}
    </>
  )
}

export async function expectFocus(element: () => Element): Promise<void> {
  await waitFor(() => expect(document.activeElement).toBe(element()))
}

function Providers({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      withCssVariables={false}
      withStaticClasses={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    </MantineProvider>
  )
}
