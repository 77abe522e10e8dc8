/** Times at the axis of a chart and in its table: as short as the width of a bucket lets them be. */

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const DAY_CLOCK = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' })

const DAY_MS = 86_400_000

/** A mark of the axis, which has marks every `stepMs`. */
export function markText(ms: number, stepMs: number): string {
  if (stepMs >= 28 * DAY_MS) return MONTH.format(ms)
  // Midnight is where the day is told.
  const isMidnight = CLOCK.format(ms) === '00:00'
  return stepMs >= DAY_MS || isMidnight ? DAY.format(ms) : CLOCK.format(ms)
}

/** When a bucket of `widthMs` begins. */
export function bucketText(ms: number, widthMs: number): string {
  return widthMs >= DAY_MS ? DAY.format(ms) : DAY_CLOCK.format(ms)
}
