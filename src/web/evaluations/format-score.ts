/** Formats shares as percentages and other scores with about three significant digits. */
export function formatScore(value: number, isShare: boolean): string {
  if (isShare) return `${trimZeros((value * 100).toFixed(1))} %`
  if (Number.isInteger(value)) return String(value)
  const size = Math.abs(value)
  return trimZeros(size >= 100 ? value.toFixed(1) : size >= 0.01 ? value.toFixed(3) : value.toPrecision(2))
}

function trimZeros(text: string): string {
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text
}

/** `+0.12`, `−4 %`. */
export function formatScoreDifference(delta: number, isShare: boolean): string {
  if (delta === 0) return '±0'
  return `${delta < 0 ? '−' : '+'}${formatScore(Math.abs(delta), isShare)}`
}
