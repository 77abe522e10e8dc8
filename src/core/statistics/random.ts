/** A seeded generator (sfc32): integers from 0 to 2^32 - 1, the same for the same seed on every machine. */
export type Random = () => number

export function seededRandom(seed: string): Random {
  let hash = 0x811c9dc5
  for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193)
  // In a typed array, because variables of a closure that exceed 31 bits are allocated at each assignment: four times slower.
  const state = Int32Array.of(hash, Math.imul(hash, 0x9e3779b1), hash ^ 0x5bf03635, 1)
  const next = (): number => {
    const b = state[1]!
    const c = state[2]!
    const counter = state[3]!
    const sum = (state[0]! + b + counter) | 0
    state[0] = b ^ (b >>> 9)
    state[1] = (c + (c << 3)) | 0
    state[2] = (((c << 21) | (c >>> 11)) + sum) | 0
    state[3] = (counter + 1) | 0
    return sum >>> 0
  }
  for (let i = 0; i < 16; i++) next()
  return next
}

/** Above all that a generator returns. */
export const RANGE = 2 ** 32

/** A number from 0 to below 1. */
export function uniform(random: Random): number {
  return random() / RANGE
}

/** An integer from 0 to below `bound`. */
export function below(random: Random, bound: number): number {
  return Math.floor((random() / RANGE) * bound)
}
