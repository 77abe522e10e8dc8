import { backoffMs } from '../../client/backoff.ts'
import { connectionStatus, subscribeConnection } from '../api/connection.ts'
import { checkServerVersion } from './server-version.ts'

/** Loads the code of pages and of parts of them, which are files of the server like the page itself. */

const BACKOFF = { firstMs: 500, maxMs: 4000 }

/** One attempt. A failed one may be repeated: the browser fetches a module again that it could not fetch before. */
export async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    await reloadStyleSheets()
    return await load()
  } catch (error) {
    await checkServerVersion()
    throw error
  }
}

/** Repeats failed attempts until one succeeds. Reports each failure; stops when the signal is aborted. */
export async function loadPatiently<Module>(
  load: () => Promise<Module>,
  onFailure: (error: unknown) => void = () => undefined,
  signal?: AbortSignal,
): Promise<Module> {
  for (let failures = 0; ; failures++) {
    try {
      return await loadModule(load)
    } catch (error) {
      signal?.throwIfAborted()
      onFailure(error)
      await untilNextAttempt(backoffMs(failures, BACKOFF))
      signal?.throwIfAborted()
    }
  }
}

/** At once when the server is reachable again. */
async function untilNextAttempt(delayMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(finish, delayMs)
    const unsubscribe = subscribeConnection(() => {
      if (connectionStatus() === 'online') finish()
    })
    function finish(): void {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
  })
}

/** Style sheets that could not be fetched. Others have no rules yet because they are being loaded: they must stay. */
const failedStyleSheets = new Set<HTMLLinkElement>()

/** Call it before modules are loaded. */
export function watchStyleSheets(): void {
  // Does not bubble.
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyleSheets.add(target)
    },
    true,
  )
}

/** Vite requests each only once, and would load a module without them. */
async function reloadStyleSheets(): Promise<void> {
  const failed = [...failedStyleSheets]
  failedStyleSheets.clear()
  await Promise.all(failed.map(reloadStyleSheet))
}

async function reloadStyleSheet(failed: HTMLLinkElement): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = failed.href
  const loaded = new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`The style sheet ${link.href} cannot be loaded`)))
  })
  failed.replaceWith(link)
  await loaded
}
