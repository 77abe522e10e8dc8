import { formatCost, formatCount, formatDuration, formatPercent } from '../ui/format.ts'

/** The difference between a value and its baseline. */
export interface Difference {
  readonly text: string
  readonly tone: 'better' | 'worse' | 'same'
}

export type Unit = 'duration' | 'count' | 'cost'

const FORMATS: Readonly<Record<Unit, (value: number) => string>> = {
  duration: formatDuration,
  count: formatCount,
  cost: formatCost,
}

/** Relative changes below this are not colored. */
const NOTABLE_SHARE = 0.05

/** `+1.20 s (+34 %)`. Lower is better for all units. Returns undefined if either value is unknown. */
export function formatDifference(
  base: number | undefined,
  value: number | undefined,
  unit: Unit,
): Difference | undefined {
  if (base === undefined || value === undefined) return undefined
  const delta = value - base
  if (delta === 0) return { text: '±0', tone: 'same' }
  const amount = signed(delta, FORMATS[unit](Math.abs(delta)))
  const share = base === 0 ? undefined : delta / base
  const text = share === undefined ? amount : `${amount} (${signed(share, formatShare(Math.abs(share)))})`
  const isNotable = share === undefined || Math.abs(share) >= NOTABLE_SHARE
  return { text, tone: isNotable ? (delta < 0 ? 'better' : 'worse') : 'same' }
}

function signed(value: number, text: string): string {
  return value < 0 ? `−${text}` : `+${text}`
}

/** From 1,000 % on, a factor is easier to read. */
function formatShare(share: number): string {
  return share >= 10
    ? `${formatCount(Math.round(share))}×`
    : formatPercent(share < 0.1 ? share : roundPercent(share))
}

function roundPercent(share: number): number {
  return Math.round(share * 100) / 100
}
