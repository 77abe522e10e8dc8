import { TimeSlice } from '../../src/core/concurrency/time-slice.ts'
import { comparePaired } from '../../src/core/statistics/paired-comparison.ts'
import { seededRandom } from '../../src/core/statistics/random.ts'
import type { Scenario } from './samples.ts'

/** How often the interval contains the true difference, and how often equal systems seem to differ. */

export interface Coverage {
  /** Share of the intervals with the truth. */
  readonly covered: number
  /** Share of the comparisons of equal systems with p ≤ 5 %. */
  readonly falseAlarms: number
}

export async function simulate(
  { name, difference, draw }: Scenario,
  count: number,
  comparisons: number,
  resamples: number,
): Promise<Coverage> {
  const random = seededRandom(`${name} ${count}`)
  const slice = new TimeSlice()
  let [covered, alarms] = [0, 0]
  for (let i = 0; i < comparisons; i++) {
    const options = { seed: `${i}`, slice, resamples }
    const different = draw(count, random, difference)
    const result = await comparePaired(different.baseline, different.candidate, options)
    if (result !== undefined && result.interval.low <= difference && difference <= result.interval.high)
      covered++
    const equal = draw(count, random, 0)
    const none = await comparePaired(equal.baseline, equal.candidate, options)
    if (none !== undefined && none.p <= 0.05) alarms++
  }
  return { covered: covered / comparisons, falseAlarms: alarms / comparisons }
}
