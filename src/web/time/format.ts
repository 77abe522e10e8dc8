/** Formats times for display. Pages show the exact values in tooltips. */

export { formatDuration } from '../ui/format.ts'

const TIME = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const DAY_TIME = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

export function formatTime(iso: string, nowMs = Date.now()): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const isToday = new Date(nowMs).toDateString() === date.toDateString()
  return (isToday ? TIME : DAY_TIME).format(date)
}

export function formatAgo(iso: string, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(iso)) / 1000))
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`
  const days = Math.round(seconds / 86_400)
  return days === 1 ? 'yesterday' : `${days} days ago`
}

/** Milliseconds since the Unix epoch, with microseconds as fraction, which `Date` drops. */
export function preciseMs(iso: string): number {
  const ms = Date.parse(iso)
  const micros = /\.\d{3}(\d{1,3})/.exec(iso)?.[1]
  return micros === undefined ? ms : ms + Number(micros.padEnd(3, '0')) / 1000
}
