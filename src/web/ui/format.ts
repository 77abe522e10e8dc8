/** Formats counts, costs and sizes for display. */

const COUNT = new Intl.NumberFormat('en-US')
const DOLLARS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

export function formatCount(count: number): string {
  return COUNT.format(count)
}

/** Compact form for narrow places: `12.3K`. */
export function formatCompact(count: number): string {
  return count < 10_000 ? COUNT.format(count) : COMPACT.format(count)
}

/** Dollars with significant digits: `$12.40`, `$0.0031`, `$0.0000021`. */
export function formatCost(cost: number): string {
  if (cost === 0) return '$0'
  if (Math.abs(cost) >= 1) return `$${DOLLARS.format(cost)}`
  const digits = Math.min(12, 2 - Math.ceil(Math.log10(Math.abs(cost))))
  return `$${cost.toFixed(Math.max(2, digits))}`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
