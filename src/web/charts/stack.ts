/** Cumulative sums of stacked layers, as they are drawn. */
export function stackLayers(layers: readonly (readonly (number | null)[])[], length: number): number[][] {
  const sums = Array.from({ length }, () => 0)
  return layers.map((values) => {
    for (let i = 0; i < length; i++) sums[i] = (sums[i] ?? 0) + (values[i] ?? 0)
    return [...sums]
  })
}

/** The layer at a height; `undefined` above the stack. */
export function layerAt(values: readonly (number | null)[], height: number): number | undefined {
  let sum = 0
  for (const [i, value] of values.entries()) {
    sum += value ?? 0
    if ((value ?? 0) > 0 && height <= sum) return i
  }
  return undefined
}

/** The series nearest to a height; `undefined` if none has a value. */
export function nearestSeries(values: readonly (number | null)[], height: number): number | undefined {
  let nearest: number | undefined
  for (const [i, value] of values.entries()) {
    if (value === null) continue
    if (nearest === undefined || Math.abs(value - height) < Math.abs((values[nearest] ?? 0) - height))
      nearest = i
  }
  return nearest
}
