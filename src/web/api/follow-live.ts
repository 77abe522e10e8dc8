import type { InputOf } from '../../contract/operations.ts'
import type { LiveEvent } from '../../contract/live/live.ts'
import { followProject, type LiveCaller } from '../../client/live.ts'
import { isPassing } from '../../client/browser/api-error.ts'
import { api } from './client.ts'

/** Something on a page that is kept as it is on the server. */
export interface LiveView {
  /** Reads what is shown, from the beginning. What happens meanwhile is told when it is done. */
  readonly read: (signal: AbortSignal) => Promise<void>
  readonly tell: (event: Change) => void
  /** Nothing more is expected: the connection is given back for good. */
  readonly isSettled?: () => boolean
  /** What was wrong with reading, if waiting does not mend it. */
  readonly fail?: (error: unknown) => void
}

type Change = Exclude<LiveEvent, { kind: 'ready' | 'reset' | 'heartbeat' }>

/** Where it runs. A test has its own. */
export interface Surroundings {
  readonly client: LiveCaller
  readonly isVisible: () => boolean
  readonly onVisibility: (tell: () => void) => () => void
  readonly wait: (ms: number) => Promise<void>
}

const BROWSER: Surroundings = {
  client: api,
  isVisible: () => document.visibilityState === 'visible',
  onVisibility: (tell) => {
    document.addEventListener('visibilitychange', tell)
    return () => document.removeEventListener('visibilitychange', tell)
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** A feed that is not ready by then may be held up by a proxy, or by all the others: people do not wait for it. */
const LATE_MS = 1500
const SETTLE_EVERY_MS = 30_000
const RETRY_MS = 1000
const MOST_RETRIES = 3

/**
 * Follows a project for one view of a page, until the function that it answers is called. The one place that opens live
 * feeds: browsers have about six connections to a host for all their tabs together, so a tab that nobody sees holds none.
 * When it is seen again it goes on where it was; what it missed is told, or read anew if that is too long ago.
 */
export function followLive(
  request: InputOf<'project_live'>,
  view: LiveView,
  around: Surroundings = BROWSER,
): () => void {
  const ending = new AbortController()
  /** Ends the connection of now; undefined while there is none. */
  let holding: AbortController | undefined
  let cursor: string | undefined
  /** What came while the view is being read; undefined while it is not. */
  let early: Change[] | undefined
  let isReadAgain = false
  let hasRead = false
  let isOver = false

  const read = async (): Promise<void> => {
    if (early !== undefined) {
      isReadAgain = true
      return
    }
    early = []
    try {
      do {
        isReadAgain = false
        // What was told before this reading begins is in what it reads.
        early = []
        await patiently(() => view.read(ending.signal), around, ending.signal)
      } while (isReadAgain)
      hasRead = true
      for (const event of early) view.tell(event)
    } catch (error) {
      if (!ending.signal.aborted) view.fail?.(error)
    } finally {
      early = undefined
    }
    settle()
  }
  const letGo = (): void => {
    holding?.abort()
    holding = undefined
  }
  const settle = (): void => {
    if (!hasRead || view.isSettled?.() !== true) return
    isOver = true
    letGo()
  }
  const follow = async (signal: AbortSignal): Promise<void> => {
    // Followed from before it is read: what happens meanwhile is told by the one or the other.
    const late = cursor === undefined && !hasRead ? setTimeout(() => void read(), LATE_MS) : undefined
    try {
      const events = followProject(
        () => around.client,
        { ...request, ...(cursor === undefined ? {} : { cursor }) },
        { wait: around.wait, signal },
      )
      for await (const event of events) {
        if (signal.aborted) return
        cursor = event.cursor
        if (event.kind === 'ready' || event.kind === 'reset') {
          clearTimeout(late)
          void read()
        } else if (event.kind !== 'heartbeat') {
          if (early === undefined) view.tell(event)
          else early.push(event)
        }
      }
    } catch {
      // Without a feed the page still shows what it reads; if that is refused too, that is told.
      if (!signal.aborted && !hasRead) void read()
    } finally {
      clearTimeout(late)
    }
  }
  const look = (): void => {
    if (!around.isVisible()) {
      letGo()
      // A tab that is opened behind the others is ready when somebody comes to it.
      if (!hasRead && early === undefined) void read()
      return
    }
    settle()
    if (isOver || holding !== undefined) return
    holding = new AbortController()
    void follow(holding.signal)
  }
  const stopLooking = around.onVisibility(look)
  const timer = setInterval(settle, SETTLE_EVERY_MS)
  look()
  return () => {
    stopLooking()
    clearInterval(timer)
    letGo()
    ending.abort()
  }
}

/** A server that is away is waited for; other passing faults are, a few times. */
async function patiently(
  work: () => Promise<void>,
  around: Pick<Surroundings, 'wait'>,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; ; failures++) {
    try {
      await work()
      return
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error
      if (error.code !== 'unavailable' && failures >= MOST_RETRIES) throw error
    }
    await around.wait(RETRY_MS)
    if (signal.aborted) return
  }
}
