import type { AsyncRouteComponent } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import { loadModule, loadPatiently } from './load-module.ts'
import { PageSkeleton } from './page-skeleton.tsx'
import { PageUnavailable } from './page-unavailable.tsx'
import { isPageOutdated, reloadOnce } from './server-version.ts'

/**
 * A page whose code is loaded when it is first opened. While it cannot be loaded, the frame around it stays and the page
 * tries again. If the server was updated, the code has another name: the new version is loaded, at the same address.
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): AsyncRouteComponent<unknown> {
  let Loaded: ComponentType | undefined
  const loadPage = async (): Promise<void> => {
    Loaded = (await load())[name]
  }
  function LazyPage() {
    const [Page, setPage] = useState(() => Loaded)
    const [failure, setFailure] = useState<unknown>()
    const [attempt, setAttempt] = useState(0)
    useEffect(() => {
      // Preloading may have ended since the page was rendered.
      if (Loaded !== undefined) {
        setPage(() => Loaded)
        return
      }
      const unmounted = new AbortController()
      const onFailure = (error: unknown): void => {
        if (isPageOutdated()) reloadOnce()
        setFailure(error)
      }
      loadPatiently(loadPage, onFailure, unmounted.signal)
        .then(() => setPage(() => Loaded))
        .catch(() => undefined)
      return () => unmounted.abort()
    }, [attempt])
    if (Page !== undefined) return <Page />
    if (failure === undefined) return <PageSkeleton />
    return <PageUnavailable onRetry={() => setAttempt(attempt + 1)} />
  }
  // Called before the page is shown, or when the pointer is over a link to it.
  LazyPage.preload = () => (Loaded === undefined ? loadModule(loadPage).catch(() => undefined) : undefined)
  return LazyPage as AsyncRouteComponent<unknown>
}
