/** Duration literals in filters: `350ms`, `2s`, `1.5m`, `1h`. */
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text)
  if (match === null) return undefined
  // Removes floating-point noise: 1.1s is 1100 ms.
  return Number((Number(match[1]) * (UNITS_MS[match[2] ?? ''] ?? 1)).toFixed(6))
}

export function printDuration(ms: number): string {
  for (const unit of ['h', 'm', 's']) {
    const size = UNITS_MS[unit] ?? 1
    if (ms !== 0 && ms % size === 0) return `${ms / size}${unit}`
  }
  return ms > 1000 && ms % 100 === 0 ? `${ms / 1000}s` : `${ms}ms`
}
