import { type Random, uniform } from '../../src/core/statistics/random.ts'

/** Simulated scores, of which the true means are known. */

/** A standard normal value (Box and Muller 1958). */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - uniform(random))) * Math.cos(2 * Math.PI * uniform(random))
}

interface Scores {
  readonly baseline: Float64Array
  readonly candidate: Float64Array
}

export interface Scenario {
  readonly name: string
  /** The true difference of the scores that `draw` returns. */
  readonly difference: number
  readonly draw: (count: number, random: Random, difference: number) => Scores
}

type Pair = readonly [number, number]

function pairs(count: number, draw: () => Pair | undefined): Scores {
  const drawn = Array.from({ length: count }, draw).filter((pair) => pair !== undefined)
  return {
    baseline: Float64Array.from(drawn, ([value]) => value),
    candidate: Float64Array.from(drawn, ([, value]) => value),
  }
}

const bit = (random: Random, probability: number): number => Number(uniform(random) < probability)

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'numbers',
    difference: 0.2,
    draw: (count, random, difference) =>
      pairs(count, () => {
        const difficulty = normal(random)
        return [difficulty + normal(random), difficulty + difference + normal(random)]
      }),
  },
  {
    // Half of the examples have the same score in both; the others differ by whole stars.
    name: 'numbers with ties',
    difference: 0.15,
    draw: (count, random, difference) =>
      pairs(count, () => {
        const score = 2 + Math.floor(uniform(random) * 3)
        if (bit(random, 0.5) === 1) return [score, score]
        const step = bit(random, 0.5 + difference) === 1 ? 1 : -1
        return [score, score + step]
      }),
  },
  {
    // A third of the pairs lack a score. Whether it is missing does not depend on its value.
    name: 'numbers with missing scores',
    difference: 0.2,
    draw: (count, random, difference) =>
      pairs(count, () => {
        const difficulty = normal(random)
        const pair: Pair = [difficulty + normal(random), difficulty + difference + normal(random)]
        return bit(random, 1 / 3) === 1 ? undefined : pair
      }),
  },
  {
    name: 'yes/no',
    difference: 0.1,
    draw: (count, random, difference) =>
      pairs(count, () => {
        const at = uniform(random)
        if (at < 0.2) return [1, 0]
        if (at < 0.4 + difference) return [0, 1]
        return at < 0.8 ? [1, 1] : [0, 0]
      }),
  },
  {
    // The mean of five trials of each example, whose difficulties differ.
    name: 'yes/no with trials',
    difference: 0.1,
    draw: (count, random, difference) =>
      pairs(count, () => {
        const easiness = 0.1 + 0.7 * uniform(random)
        const passed = (probability: number): number =>
          Array.from({ length: 5 }, () => bit(random, probability)).reduce((sum, each) => sum + each, 0) / 5
        return [passed(easiness), passed(easiness + difference)]
      }),
  },
]
