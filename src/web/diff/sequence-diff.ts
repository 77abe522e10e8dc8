/**
 * Shortest edit script between two sequences, by Myers' "An O(ND) Difference Algorithm" in its linear-space variant.
 * For very different sequences a heuristic split replaces the optimal one, so that no input blocks the page.
 */
export interface SequenceDiff {
  /** For each item of the first sequence: 1 if it is removed. */
  readonly removed: Uint8Array
  /** For each item of the second sequence: 1 if it is added. */
  readonly added: Uint8Array
}

/** After this many steps a split that may not be optimal is taken. */
const MAX_STEPS = 128

/** Items are ids: equal items have equal ids. */
export function diffSequences(first: Int32Array, second: Int32Array): SequenceDiff {
  const removed = new Uint8Array(first.length)
  const added = new Uint8Array(second.length)
  // Items that the other side lacks cannot be kept. Removing them first shrinks the search.
  const a = keepShared(first, second, removed)
  const b = keepShared(second, first, added)
  compare(
    a.items,
    b.items,
    (x) => (removed[a.positions[x] ?? 0] = 1),
    (y) => (added[b.positions[y] ?? 0] = 1),
  )
  return { removed, added }
}

interface SharedItems {
  readonly items: Int32Array
  /** Original index of each item. */
  readonly positions: Int32Array
}

function keepShared(own: Int32Array, other: Int32Array, excluded: Uint8Array): SharedItems {
  const known = new Set(other)
  const positions: number[] = []
  for (let i = 0; i < own.length; i++) {
    if (known.has(own[i] ?? 0)) positions.push(i)
    else excluded[i] = 1
  }
  return { items: Int32Array.from(positions, (i) => own[i] ?? 0), positions: Int32Array.from(positions) }
}

type Mark = (index: number) => void

function compare(a: Int32Array, b: Int32Array, markGone: Mark, markAdded: Mark): void {
  // Furthest point on each diagonal, from the start and from the end. Reused by every part.
  const size = a.length + b.length + 3
  const frontiers = { forward: new Int32Array(size), backward: new Int32Array(size), center: b.length + 1 }
  const parts: [number, number, number, number][] = [[0, a.length, 0, b.length]]
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    let [aFrom, aTo, bFrom, bTo] = part
    while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) {
      aFrom++
      bFrom++
    }
    while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) {
      aTo--
      bTo--
    }
    if (aFrom === aTo || bFrom === bTo) {
      for (let x = aFrom; x < aTo; x++) markGone(x)
      for (let y = bFrom; y < bTo; y++) markAdded(y)
      continue
    }
    const [x, y] = findSplit(a.subarray(aFrom, aTo), b.subarray(bFrom, bTo), frontiers)
    parts.push([aFrom + x, aTo, bFrom + y, bTo], [aFrom, aFrom + x, bFrom, bFrom + y])
  }
}

interface Frontiers {
  readonly forward: Int32Array
  readonly backward: Int32Array
  /** Array index of diagonal 0. */
  readonly center: number
}

/** Marks a diagonal that is not reached. */
const UNREACHED = -2

/** A point on a shortest path. The sequences differ at both ends, so it is neither the start nor the end. */
function findSplit(
  a: Int32Array,
  b: Int32Array,
  { forward, backward, center }: Frontiers,
): readonly [number, number] {
  const n = a.length
  const m = b.length
  const delta = n - m
  const isOdd = delta % 2 !== 0
  forward.fill(UNREACHED, center - m - 1, center + n + 2)
  backward.fill(UNREACHED, center - m - 1, center + n + 2)
  for (let d = 0; ; d++) {
    const lowest = d <= m ? -d : d % 2 === m % 2 ? -m : 1 - m
    const highest = d <= n ? d : d % 2 === n % 2 ? n : n - 1
    for (let k = lowest; k <= highest; k += 2) {
      let x = d === 0 ? 0 : advance(forward, center + k, k, n, m)
      if (x >= 0) while (x < n && x - k < m && a[x] === b[x - k]) x++
      forward[center + k] = x
      if (!isOdd || x < 0 || Math.abs(k - delta) >= d) continue
      const back = backward[center + delta - k] ?? UNREACHED
      if (back >= 0 && x + back >= n) return [x, x - k]
    }
    for (let k = lowest; k <= highest; k += 2) {
      let x = d === 0 ? 0 : advance(backward, center + k, k, n, m)
      if (x >= 0) while (x < n && x - k < m && a[n - 1 - x] === b[m - 1 - x + k]) x++
      backward[center + k] = x
      if (isOdd || x < 0 || Math.abs(k - delta) > d) continue
      const ahead = forward[center + delta - k] ?? UNREACHED
      if (ahead >= 0 && x + ahead >= n) return [n - x, m - x + k]
    }
    if (d >= MAX_STEPS) return furthestPoint(forward, center, lowest, highest)
  }
}

/** One step further: right from the diagonal below or down from the one above, whichever is further. */
function advance(frontier: Int32Array, at: number, k: number, n: number, m: number): number {
  const right = (frontier[at - 1] ?? UNREACHED) + 1
  const down = frontier[at + 1] ?? UNREACHED
  const best = Math.max(
    right > 0 && right <= n ? right : UNREACHED,
    down >= 0 && down - k <= m ? down : UNREACHED,
  )
  return best
}

function furthestPoint(
  frontier: Int32Array,
  center: number,
  lowest: number,
  highest: number,
): [number, number] {
  let best: [number, number] = [0, 0]
  for (let k = lowest; k <= highest; k += 2) {
    const x = frontier[center + k] ?? UNREACHED
    if (x >= 0 && 2 * x - k > best[0] + best[1]) best = [x, x - k]
  }
  return best
}
