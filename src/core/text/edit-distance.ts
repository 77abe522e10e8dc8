/** Letters to insert, remove or replace: how similar two names are, for suggestions after a typing error. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (a[i] === b[j] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}

/** The name that was probably meant; undefined if none is similar. */
export function mostSimilar(
  typed: string,
  known: Iterable<string>,
  maxDistance = typed.length > 4 ? Math.max(2, typed.length / 3) : 1,
): string | undefined {
  let best: string | undefined
  let bestDistance = maxDistance
  for (const name of known) {
    const isPart = typed.length > 2 && (name.startsWith(typed) || typed.startsWith(name))
    const distance = isPart ? 1 : editDistance(name, typed)
    if (distance > bestDistance || (distance === bestDistance && best !== undefined)) continue
    best = name
    bestDistance = distance
  }
  return best
}
