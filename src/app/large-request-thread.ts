import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { Deps } from '../service/deps.ts'
import { createDeps } from './deps.ts'
import { serveStorage } from './heddle.ts'
import type { LargeRequestThreadData, ThreadMessage } from './large-requests.ts'
import { createLog } from './log.ts'
import { attachStorage } from './storage.ts'

/** Entry point of the thread for large requests (large-requests.ts): a server with the same routes on a local socket. */

// As in main.ts.
delete (Object.prototype as { __proto__?: unknown }).__proto__

/** As in `nice`: about a third of the CPU time that the main thread gets, while both want all. */
const THREAD_PRIORITY = 5
lowerPriority()

const { settings, socketPath } = workerData as LargeRequestThreadData
const log = createLog(settings)
const storage = attachStorage(settings, log)
const deps = { ...createDeps(storage.db, settings), projectLoad: forwardedLoad() }
deps.redactor?.onCount((redacted) => parentPort?.postMessage({ redacted } satisfies ThreadMessage, []))
const heddle = await serveStorage(storage, settings, log, {
  deps,
  credentials: undefined,
  socketPath,
})
parentPort?.once('message', () => {
  void heddle.stop().finally(() => parentPort?.close())
})
parentPort?.postMessage('ready', [])

function forwardedLoad(): Deps['projectLoad'] {
  return {
    add: (...load) => parentPort?.postMessage({ load } satisfies ThreadMessage, []),
    totals: () => [],
  }
}

/** When CPU is scarce, other requests come first. Linux has priorities of threads; elsewhere nothing changes. */
function lowerPriority(): void {
  try {
    const thread_id = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread_id, THREAD_PRIORITY)
  } catch {
    // Not Linux, or not permitted.
  }
}
