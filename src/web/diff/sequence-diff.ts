/**
 * What has to go from one sequence and come into it so that it becomes another: the fewest steps, by Myers' "An O(ND)
 * Difference Algorithm", in the form that needs no more room than the sequences. Where two are so different that the
 * fewest steps would take long to find, a good place to cut them is taken instead, so that no input makes a page wait.
 */
export interface SequenceDiff {
  /** For each item of the first: 1 if it is not in the second. */
  readonly gone: Uint8Array
  /** For each item of the second: 1 if it was not in the first. */
  readonly added: Uint8Array
}

/** So many steps are tried before a place to cut is taken that may not be the best. */
const MOST_STEPS = 128

/** Items are numbers that are equal where the things they stand for are. */
export function diffSequences(first: Int32Array, second: Int32Array): SequenceDiff {
  const gone = new Uint8Array(first.length)
  const added = new Uint8Array(second.length)
  // What the other side does not have at all cannot be kept: without it there is much less to look through.
  const a = shared(first, second, gone)
  const b = shared(second, first, added)
  compare(
    a.items,
    b.items,
    (x) => (gone[a.places[x] ?? 0] = 1),
    (y) => (added[b.places[y] ?? 0] = 1),
  )
  return { gone, added }
}

interface Shared {
  readonly items: Int32Array
  /** Where each of them was. */
  readonly places: Int32Array
}

function shared(own: Int32Array, other: Int32Array, left: Uint8Array): Shared {
  const known = new Set(other)
  const places: number[] = []
  for (let i = 0; i < own.length; i++) {
    if (known.has(own[i] ?? 0)) places.push(i)
    else left[i] = 1
  }
  return { items: Int32Array.from(places, (i) => own[i] ?? 0), places: Int32Array.from(places) }
}

type Mark = (index: number) => void

function compare(a: Int32Array, b: Int32Array, markGone: Mark, markAdded: Mark): void {
  // Furthest place on each diagonal, from the beginning and from the end; reused by every part.
  const size = a.length + b.length + 3
  const ways = { forward: new Int32Array(size), backward: new Int32Array(size), middle: b.length + 1 }
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
    const [x, y] = cut(a.subarray(aFrom, aTo), b.subarray(bFrom, bTo), ways)
    parts.push([aFrom + x, aTo, bFrom + y, bTo], [aFrom, aFrom + x, bFrom, bFrom + y])
  }
}

interface Ways {
  readonly forward: Int32Array
  readonly backward: Int32Array
  /** Where the diagonal 0 stands. */
  readonly middle: number
}

/** No place on this diagonal can be reached. */
const NOWHERE = -2

/** A place on a shortest way: both begin and end differently, so it is neither the beginning nor the end. */
function cut(a: Int32Array, b: Int32Array, { forward, backward, middle }: Ways): readonly [number, number] {
  const n = a.length
  const m = b.length
  const delta = n - m
  const isOdd = delta % 2 !== 0
  forward.fill(NOWHERE, middle - m - 1, middle + n + 2)
  backward.fill(NOWHERE, middle - m - 1, middle + n + 2)
  for (let d = 0; ; d++) {
    const lowest = d <= m ? -d : d % 2 === m % 2 ? -m : 1 - m
    const highest = d <= n ? d : d % 2 === n % 2 ? n : n - 1
    for (let k = lowest; k <= highest; k += 2) {
      let x = d === 0 ? 0 : furthest(forward, middle + k, k, n, m)
      if (x >= 0) while (x < n && x - k < m && a[x] === b[x - k]) x++
      forward[middle + k] = x
      if (!isOdd || x < 0 || Math.abs(k - delta) >= d) continue
      const back = backward[middle + delta - k] ?? NOWHERE
      if (back >= 0 && x + back >= n) return [x, x - k]
    }
    for (let k = lowest; k <= highest; k += 2) {
      let x = d === 0 ? 0 : furthest(backward, middle + k, k, n, m)
      if (x >= 0) while (x < n && x - k < m && a[n - 1 - x] === b[m - 1 - x + k]) x++
      backward[middle + k] = x
      if (isOdd || x < 0 || Math.abs(k - delta) > d) continue
      const ahead = forward[middle + delta - k] ?? NOWHERE
      if (ahead >= 0 && x + ahead >= n) return [n - x, m - x + k]
    }
    if (d >= MOST_STEPS) return furthestOf(forward, middle, lowest, highest)
  }
}

/** One step on: right from the diagonal below or down from the one above, whichever leads further. */
function furthest(way: Int32Array, at: number, k: number, n: number, m: number): number {
  const right = (way[at - 1] ?? NOWHERE) + 1
  const down = way[at + 1] ?? NOWHERE
  const best = Math.max(
    right > 0 && right <= n ? right : NOWHERE,
    down >= 0 && down - k <= m ? down : NOWHERE,
  )
  return best
}

function furthestOf(way: Int32Array, middle: number, lowest: number, highest: number): [number, number] {
  let best: [number, number] = [0, 0]
  for (let k = lowest; k <= highest; k += 2) {
    const x = way[middle + k] ?? NOWHERE
    if (x >= 0 && 2 * x - k > best[0] + best[1]) best = [x, x - k]
  }
  return best
}
