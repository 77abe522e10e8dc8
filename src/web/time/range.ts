/** Time range of a page. URL format: `24h`, `all`, or two times separated by `..`. */
export type TimeRange =
  | { readonly kind: 'last'; readonly text: string; readonly ms: number }
  | { readonly kind: 'between'; readonly from: string; readonly to: string }
  | { readonly kind: 'all' }

const DEFAULT_RANGE = '7d'

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

export const PRESETS: readonly { readonly text: string; readonly label: string }[] = [
  { text: '15m', label: 'Last 15 minutes' },
  { text: '1h', label: 'Last hour' },
  { text: '24h', label: 'Last 24 hours' },
  { text: '7d', label: 'Last 7 days' },
  { text: '30d', label: 'Last 30 days' },
  { text: '90d', label: 'Last 90 days' },
  { text: 'all', label: 'All time' },
]

/** Invalid text gives the default range, so that a damaged link still opens. */
export function parseRange(text: string | undefined): TimeRange {
  const last = /^(\d{1,5})([mhd])$/.exec(text ?? '')
  if (last !== null) {
    return { kind: 'last', text: last[0], ms: Number(last[1]) * (UNITS_MS[last[2] ?? ''] ?? 0) }
  }
  if (text === 'all') return { kind: 'all' }
  const [from, to] = (text ?? '').split('..')
  if (from !== undefined && to !== undefined && isTime(from) && isTime(to))
    return { kind: 'between', from, to }
  return { kind: 'last', text: DEFAULT_RANGE, ms: 7 * 86_400_000 }
}

function isTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text))
}

export function printRange(range: TimeRange): string {
  return range.kind === 'last' ? range.text : range.kind === 'all' ? 'all' : `${range.from}..${range.to}`
}

export function rangeLabel(range: TimeRange): string {
  const preset = PRESETS.find(({ text }) => text === printRange(range))
  if (preset !== undefined) return preset.label
  if (range.kind === 'last') return `Last ${range.text}`
  if (range.kind === 'all') return 'All time'
  return `${shortTime(range.from)} – ${shortTime(range.to)}`
}

function shortTime(text: string): string {
  return new Date(text).toLocaleString(undefined, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}

/** Request bounds. A range that ends now has no upper bound, so that it includes calls of the next second. */
export function rangeBounds(
  range: TimeRange,
  nowMs: number,
): { readonly after?: string; readonly before?: string } {
  if (range.kind === 'all') return {}
  if (range.kind === 'between') return { after: range.from, before: range.to }
  return { after: new Date(nowMs - range.ms).toISOString() }
}
