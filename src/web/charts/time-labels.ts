/** Time labels of chart axes and tables, as short as the bucket size allows. */

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const SECONDS = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const DAY_CLOCK = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' })

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Label of an axis tick, with ticks every `stepMs`. */
export function tickLabel(ms: number, stepMs: number): string {
  if (stepMs >= 28 * DAY_MS) return MONTH.format(ms)
  if (stepMs < MINUTE_MS) return SECONDS.format(ms)
  // The tick at midnight shows the day.
  const isMidnight = CLOCK.format(ms) === '00:00'
  return stepMs >= DAY_MS || isMidnight ? DAY.format(ms) : CLOCK.format(ms)
}

/** Label of a bucket of `bucketMs`. */
export function bucketLabel(ms: number, bucketMs: number): string {
  return bucketMs >= DAY_MS ? DAY.format(ms) : DAY_CLOCK.format(ms)
}
