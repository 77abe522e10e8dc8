import { useSyncExternalStore } from 'react'
import { BASE_PATH } from '../api/base-path.ts'
import { connectionStatus, setConnectionStatus, subscribeConnection } from '../api/connection.ts'

/**
 * Notices that the server was updated since this page was loaded: it then sends a page with another entry script, whose
 * name contains a hash of the whole application.
 */

const MIN_INTERVAL_MS = 60_000
const POLL_INTERVAL_MS = 10 * 60_000

let isOutdated = false
let lastCheckMs = 0
const listeners = new Set<() => void>()

/** Whether the server has another version than this page. */
export function isPageOutdated(): boolean {
  return isOutdated
}

export function usePageOutdated(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, isPageOutdated)
}

/** Asks the server now. Also finds out whether it is reachable. */
export async function checkServerVersion(): Promise<void> {
  if (isOutdated) return
  lastCheckMs = Date.now()
  try {
    // Any address of the UI returns the page.
    const response = await fetch(`${BASE_PATH}/sign-in`, {
      cache: 'no-cache',
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(10_000),
    })
    if (!response.ok) return
    const served = entryName(new DOMParser().parseFromString(await response.text(), 'text/html'))
    setConnectionStatus('online')
    const own = entryName(document)
    if (served === undefined || own === undefined || served === own) return
    isOutdated = true
    for (const notify of listeners) notify()
  } catch {
    setConnectionStatus('offline')
  }
}

/** Checks when the tab is used again, when the server is back, and now and then. */
export function watchServerVersion(): void {
  const check = (): void => {
    if (document.visibilityState === 'visible' && Date.now() - lastCheckMs > MIN_INTERVAL_MS)
      void checkServerVersion()
  }
  lastCheckMs = Date.now()
  window.addEventListener('focus', check)
  document.addEventListener('visibilitychange', check)
  setInterval(check, POLL_INTERVAL_MS)
  subscribeConnection(() => {
    if (connectionStatus() === 'online') void checkServerVersion()
  })
}

const RELOADED_KEY = 'heddle-reloaded-from'

/** Reloads an outdated page, once: a cache in front of the server may still send the old one. */
export function reloadOnce(): void {
  const own = entryName(document) ?? ''
  if (sessionStorage.getItem(RELOADED_KEY) === own) return
  sessionStorage.setItem(RELOADED_KEY, own)
  window.location.reload()
}

/** Only the file name: the server inserts its base path into the page. */
function entryName(page: Document): string | undefined {
  return page.querySelector('script[type=module][src]')?.getAttribute('src')?.split('/').at(-1)
}
