import type { InputOf } from '../../contract/operations.ts'
import type { LiveEvent } from '../../contract/live/live.ts'
import { followProject, type LiveClient } from '../../client/live.ts'
import { isRetryable } from '../../client/browser/api-error.ts'
import { api } from './client.ts'

/** A view that is kept up to date by the live feed. */
export interface LiveView {
  /** Loads the whole view. Events that arrive during the load are delivered afterwards. */
  readonly read: (signal: AbortSignal) => Promise<void>
  readonly onEvent: (event: LiveChange) => void
  /** Whether no more events are expected. The connection is then closed for good. */
  readonly isIdle?: () => boolean
  /** Receives load errors that retries cannot fix. */
  readonly onError?: (error: unknown) => void
}

type LiveChange = Exclude<LiveEvent, { kind: 'ready' | 'reset' | 'heartbeat' }>

/** The dependencies on the browser, which tests replace. */
export interface LiveEnvironment {
  readonly client: LiveClient
  readonly isVisible: () => boolean
  readonly onVisibility: (listener: () => void) => () => void
  readonly wait: (ms: number) => Promise<void>
}

const BROWSER_ENVIRONMENT: LiveEnvironment = {
  client: api,
  isVisible: () => document.visibilityState === 'visible',
  onVisibility: (listener) => {
    document.addEventListener('visibilitychange', listener)
    return () => document.removeEventListener('visibilitychange', listener)
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** The view is loaded without the feed after this time: a proxy or the browser's connection limit may block the feed. */
const FEED_TIMEOUT_MS = 1500
const IDLE_CHECK_INTERVAL_MS = 30_000
const RETRY_DELAY_MS = 1000
const MAX_RETRIES = 3

/**
 * Follows the live feed of a project for one view. Returns a function that stops it. This is the only place that opens
 * live feeds: browsers allow about six connections per host across all tabs, so a hidden tab holds none. When the tab
 * becomes visible, it resumes at its cursor. Missed events are delivered, or the view is reloaded if they have expired.
 */
export function followLive(
  request: InputOf<'project_live'>,
  view: LiveView,
  environment: LiveEnvironment = BROWSER_ENVIRONMENT,
): () => void {
  const lifetime = new AbortController()
  /** Aborts the current connection; undefined while disconnected. */
  let connection: AbortController | undefined
  let cursor: string | undefined
  /** Events that arrived while the view is loading; undefined while it is not loading. */
  let pendingEvents: LiveChange[] | undefined
  let isReadQueued = false
  let hasRead = false
  let isFinished = false

  const read = async (): Promise<void> => {
    if (pendingEvents !== undefined) {
      isReadQueued = true
      return
    }
    pendingEvents = []
    try {
      do {
        isReadQueued = false
        // Events before this read are part of its result.
        pendingEvents = []
        await withRetries(() => view.read(lifetime.signal), environment, lifetime.signal)
      } while (isReadQueued)
      hasRead = true
      for (const event of pendingEvents) view.onEvent(event)
    } catch (error) {
      if (!lifetime.signal.aborted) view.onError?.(error)
    } finally {
      pendingEvents = undefined
    }
    finishIfIdle()
  }
  const disconnect = (): void => {
    connection?.abort()
    connection = undefined
  }
  const finishIfIdle = (): void => {
    if (!hasRead || view.isIdle?.() !== true) return
    isFinished = true
    disconnect()
  }
  const follow = async (signal: AbortSignal): Promise<void> => {
    // The feed is opened before the read, so that no event between the two is lost.
    const fallbackTimer =
      cursor === undefined && !hasRead ? setTimeout(() => void read(), FEED_TIMEOUT_MS) : undefined
    try {
      const events = followProject(
        () => environment.client,
        { ...request, ...(cursor === undefined ? {} : { cursor }) },
        { wait: environment.wait, signal },
      )
      for await (const event of events) {
        if (signal.aborted) return
        cursor = event.cursor
        if (event.kind === 'ready' || event.kind === 'reset') {
          clearTimeout(fallbackTimer)
          void read()
        } else if (event.kind !== 'heartbeat') {
          if (pendingEvents === undefined) view.onEvent(event)
          else pendingEvents.push(event)
        }
      }
    } catch {
      // Without a feed the view is still loaded. `onError` reports if that fails too.
      if (!signal.aborted && !hasRead) void read()
    } finally {
      clearTimeout(fallbackTimer)
    }
  }
  const onVisibilityChange = (): void => {
    if (!environment.isVisible()) {
      disconnect()
      // A tab opened in the background is loaded before the user switches to it.
      if (!hasRead && pendingEvents === undefined) void read()
      return
    }
    finishIfIdle()
    if (isFinished || connection !== undefined) return
    connection = new AbortController()
    void follow(connection.signal)
  }
  const stopWatchingVisibility = environment.onVisibility(onVisibilityChange)
  const timer = setInterval(finishIfIdle, IDLE_CHECK_INTERVAL_MS)
  onVisibilityChange()
  return () => {
    stopWatchingVisibility()
    clearInterval(timer)
    disconnect()
    lifetime.abort()
  }
}

/** Retries an unreachable server without limit, and other retryable errors a few times. */
async function withRetries(
  work: () => Promise<void>,
  environment: Pick<LiveEnvironment, 'wait'>,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; ; failures++) {
    try {
      await work()
      return
    } catch (error) {
      if (signal.aborted || !isRetryable(error)) throw error
      if (error.code !== 'unavailable' && failures >= MAX_RETRIES) throw error
    }
    await environment.wait(RETRY_DELAY_MS)
    if (signal.aborted) return
  }
}
