/** Several trials of the same example. */

/** The probability that at least one of k trials passes, without bias, after Chen et al. 2021. */
export function passAtLeastOnce(passed: number, count: number, k: number): number {
  return 1 - drawnAll(count - passed, count, k)
}

/** The probability that all of k trials pass (pass^k). */
export function passAlways(passed: number, count: number, k: number): number {
  return drawnAll(passed, count, k)
}

/** The probability that k of `count` trials, drawn without replacement, are all among `wanted`. */
function drawnAll(wanted: number, count: number, k: number): number {
  let probability = 1
  for (let i = 0; i < k; i++) probability *= Math.max(0, wanted - i) / (count - i)
  return probability
}

/** The parts of the variance of scores within an example. */
export interface VarianceParts {
  /** Between different answers to the same example. */
  readonly answers: number
  /** Between scores of the same answer; undefined if no answer was scored twice. */
  readonly judge: number | undefined
  /** Answers that were scored more than once. */
  readonly repeated: number
}

/** Sums over all examples with more than one score. */
export interface VarianceTotals {
  /** Squared distances of the means of answers from the means of their examples, by number of scores. */
  readonly answers: number
  /** Squared distances of scores from the means of their answers. */
  readonly judge: number
  readonly answersDegrees: number
  readonly judgeDegrees: number
  readonly scores: number
  /** Squared numbers of scores per answer, divided by those per example. */
  readonly crowding: number
  readonly repeated: number
}

/** Splits the variance of scores within examples by a nested analysis of variance. */
export function partsOfTotals(total: VarianceTotals): VarianceParts | undefined {
  if (total.answersDegrees + total.judgeDegrees === 0) return undefined
  const judge = total.judgeDegrees === 0 ? undefined : total.judge / total.judgeDegrees
  const { repeated } = total
  if (total.answersDegrees === 0) return { answers: 0, judge, repeated }
  const scoresPerAnswer = (total.scores - total.crowding) / total.answersDegrees
  const between = total.answers / total.answersDegrees
  return { answers: Math.max(0, (between - (judge ?? 0)) / scoresPerAnswer), judge, repeated }
}
