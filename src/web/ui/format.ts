import { perMillion } from './per-million.ts'

/**
 * Formats numbers for people: counts, costs, prices, shares, sizes and durations. The only module that does.
 * Pages keep the exact value in a tooltip. Documents (inputs, outputs, query results) are never reformatted.
 */

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
const DECIMALS = [0, 1, 2, 3, 4].map(
  (digits) =>
    new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
)

/** With separators and this number of decimals: `2,522.10`. */
function formatFixed(value: number, decimals: number): string {
  return (DECIMALS[decimals] ?? NUMBER).format(value)
}

export function formatCount(count: number): string {
  return NUMBER.format(count)
}

/** Compact form for narrow places: `12.3K`. */
export function formatCompact(count: number): string {
  return count < 10_000 ? NUMBER.format(count) : COMPACT.format(count)
}

/** Any number, with about three significant digits after the point: `2,522.1`, `0.663`, `0.0012`. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value)) return NUMBER.format(value)
  const size = Math.abs(value)
  if (size < 0.01) return trimZeros(value.toPrecision(2))
  return trimZeros(formatFixed(value, size >= 100 ? 1 : 3))
}

/** With two significant digits, for bounds of intervals: `3.4`, `0.012`, `120`. */
export function formatRough(value: number): string {
  return formatNumber(Number(value.toPrecision(2)))
}

/** `80 %`, `66.7 %`. */
export function formatPercent(share: number): string {
  return `${trimZeros(formatFixed(share * 100, 1))} %`
}

/** Shares as percentages, other scores as numbers. */
export function formatScore(value: number, isShare: boolean): string {
  return isShare ? formatPercent(value) : formatNumber(value)
}

/** `+0.12`, `−4 %`. */
export function formatScoreDifference(delta: number, isShare: boolean): string {
  if (delta === 0) return '±0'
  return `${delta < 0 ? '−' : '+'}${formatScore(Math.abs(delta), isShare)}`
}

/** Smaller costs are shown as less than this. */
const MIN_COST = 0.0001

/** Dollars: `$12.40`, `$0.079`, `$0.0016`, `<$0.0001`. */
export function formatCost(cost: number): string {
  if (cost === 0) return '$0'
  const size = Math.abs(cost)
  if (size < MIN_COST) return cost < 0 ? '−<$0.0001' : '<$0.0001'
  const decimals = size >= 1 ? 2 : Math.min(4, Math.max(2, 2 - Math.ceil(Math.log10(size))))
  return `${cost < 0 ? '−' : ''}$${formatFixed(size, decimals)}`
}

/**
 * The cost of calls of which some may have used a model without a price, which makes it a lower bound: `≥ $0.0016`, or
 * `no price`, never nothing: such calls are not free.
 */
export function formatKnownCost(cost: number | undefined, isPartial: boolean): string | undefined {
  if (cost === undefined) return isPartial ? 'no price' : undefined
  if (!isPartial) return formatCost(cost)
  return `≥ ${Math.abs(cost) < MIN_COST ? '$0' : formatCost(cost)}`
}

/** The exact cost, for tooltips: `$0.0000123`. */
export function exactCost(cost: number): string {
  return `$${cost.toLocaleString('en-US', { maximumFractionDigits: 20, maximumSignificantDigits: 15 })}`
}

/** A price per token as price per million tokens: `$0.15 / 1M tokens`. Takes text, because prices are exact decimals. */
export function formatPrice(costPerToken: string): string {
  return `${formatPricePerMillion(costPerToken)} / 1M tokens`
}

/** As `formatPrice` without the unit, for tables that name it: `$2.50`, `$0.075`. */
export function formatPricePerMillion(costPerToken: string): string {
  const [whole = '', fraction = ''] = perMillion(costPerToken).split('.')
  return /^-?\d+$/.test(whole) ? `$${formatCount(Number(whole))}.${fraction.padEnd(2, '0')}` : `$${whole}`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${formatFixed(bytes / 1000, 1)} kB`
  if (bytes < 1_000_000_000) return `${formatFixed(bytes / 1_000_000, 1)} MB`
  return `${formatFixed(bytes / 1_000_000_000, 1)} GB`
}

/** Formats milliseconds as `350 ms`, `2.41 s`, `3 m 12 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms === 0 ? '0 ms' : `${formatFixed(ms, 2)} ms`
  if (ms < 1000) return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`
  if (ms < 60_000) return `${formatFixed(ms / 1000, ms < 10_000 ? 2 : 1)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} m ${Math.floor((ms % 60_000) / 1000)} s`
  return `${formatCount(Math.floor(ms / 3_600_000))} h ${Math.floor((ms % 3_600_000) / 60_000)} m`
}

function trimZeros(text: string): string {
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text
}
