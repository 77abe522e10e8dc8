import { appendFileSync, readFileSync } from 'node:fs'

/**
 * Preloaded into a server (`--import`) by test/db/event-loop.test.ts: appends a line for every turn of the event loop in
 * which the main thread has used more CPU time than a few milliseconds. CPU time, unlike elapsed time, does not depend on
 * what else the machine does.
 */
const MIN_REPORTED_MS = 5

const file = process.env['EVENT_LOOP_PROBE_FILE'] ?? ''
/** The first number is the CPU time of the thread in nanoseconds; the id of the main thread is that of the process. */
const SCHEDULER_STATS = `/proc/self/task/${process.pid}/schedstat`

function cpuMs(): number {
  return Number(readFileSync(SCHEDULER_STATS, 'latin1').split(' ')[0]) / 1e6
}

let last = cpuMs()
setInterval(() => {
  const now = cpuMs()
  if (now - last > MIN_REPORTED_MS) appendFileSync(file, `${Math.round(now - last)}\n`)
  last = now
}, 1).unref()
