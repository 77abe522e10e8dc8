/** Each layer of a stack with all below it added: what has to be drawn. */
export function stacked(layers: readonly (readonly (number | null)[])[], length: number): number[][] {
  const sums = Array.from({ length }, () => 0)
  return layers.map((values) => {
    for (let i = 0; i < length; i++) sums[i] = (sums[i] ?? 0) + (values[i] ?? 0)
    return [...sums]
  })
}

/** The layer at a height; undefined above the whole stack. */
export function layerAt(values: readonly (number | null)[], height: number): number | undefined {
  let sum = 0
  for (const [i, value] of values.entries()) {
    sum += value ?? 0
    if ((value ?? 0) > 0 && height <= sum) return i
  }
  return undefined
}

/** The line that is nearest to a height; undefined where none has a value. */
export function nearestTo(values: readonly (number | null)[], height: number): number | undefined {
  let best: number | undefined
  for (const [i, value] of values.entries()) {
    if (value === null) continue
    if (best === undefined || Math.abs(value - height) < Math.abs((values[best] ?? 0) - height)) best = i
  }
  return best
}
