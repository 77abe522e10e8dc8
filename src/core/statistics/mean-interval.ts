import type { TimeSlice } from '../concurrency/time-slice.ts'
import { bcaInterval, bootstrapMean } from './bootstrap.ts'
import { type Interval } from './interval.ts'
import { groupMeans } from './moments.ts'
import { seededRandom } from './random.ts'
import { wilsonInterval } from './yes-no.ts'

/** More examples are averaged in this many groups before they are resampled. */
export const MAX_GROUPS = 1000

/** The interval of the mean of the scores of one run: of a share after Wilson, else by bootstrap. */
export async function meanInterval(
  values: Float64Array,
  { seed, slice }: { readonly seed: string; readonly slice: TimeSlice },
): Promise<Interval> {
  if (values.every((value) => value === 0 || value === 1)) {
    const yes = values.reduce((sum, value) => sum + value, 0)
    return wilsonInterval(yes, values.length)
  }
  const random = seededRandom(seed)
  const grouped = groupMeans(values, random, MAX_GROUPS)
  return bcaInterval(await bootstrapMean(grouped, random, slice))
}
