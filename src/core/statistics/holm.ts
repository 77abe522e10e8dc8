/** p-values of several metrics, raised so that a false alarm in any of them stays as rare as in one, after Holm 1979. */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, i) => i).sort((a, b) => (pValues[a] ?? 1) - (pValues[b] ?? 1))
  const adjusted = pValues.map(() => 1)
  let largest = 0
  for (const [rank, i] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues[i] ?? 1) * (pValues.length - rank)))
    adjusted[i] = largest
  }
  return adjusted
}
