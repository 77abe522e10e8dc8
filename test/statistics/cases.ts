import { TimeSlice } from '../../src/core/concurrency/time-slice.ts'
import { bcaInterval, bootstrapMean } from '../../src/core/statistics/bootstrap.ts'
import { calibration } from '../../src/core/statistics/calibration.ts'
import { holm } from '../../src/core/statistics/holm.ts'
import { cohensKappa, correctedRate, judgeQuality } from '../../src/core/statistics/judge.ts'
import { mean, standardDeviation } from '../../src/core/statistics/moments.ts'
import { signFlipTest } from '../../src/core/statistics/permutation.ts'
import { examplesFor, minimalDetectableDifference } from '../../src/core/statistics/power.ts'
import { seededRandom, uniform } from '../../src/core/statistics/random.ts'
import * as special from '../../src/core/statistics/special-functions.ts'
import {
  partsOfTotals,
  passAlways,
  passAtLeastOnce,
  type VarianceTotals,
} from '../../src/core/statistics/trials.ts'
import { mcNemar, shareDifference, wilsonInterval } from '../../src/core/statistics/yes-no.ts'
import { normal } from './samples.ts'

/** Our values beside those of the Python packages. */

export interface Case {
  readonly name: string
  readonly arguments: readonly unknown[]
  readonly values: readonly number[]
  /** How far the values may differ: relative, and absolute below 1. Default: 1e-9. */
  readonly tolerance?: number
}

const random = seededRandom('cases')
const sample = (count: number, shift = 0): number[] =>
  Array.from({ length: count }, () => normal(random) + shift)
/** Skewed, with ties. */
const skewed = (count: number): number[] =>
  Array.from({ length: count }, () => (uniform(random) < 0.4 ? 0 : Math.exp(normal(random)) - 0.8))
const slice = new TimeSlice()

type Interval = { readonly low: number; readonly high: number }
const bounds = (interval: Interval): number[] => [interval.low, interval.high]

function direct(name: string, f: (...args: never[]) => number, argumentLists: readonly number[][]): Case[] {
  return argumentLists.map((args) => ({ name, arguments: args, values: [f(...(args as never[]))] }))
}

const SPECIAL: readonly Case[] = [
  ...direct('logGamma', special.logGamma, [[0.5], [3.7], [120], [100_000]]),
  ...direct('normalCdf', special.normalCdf, [[-8], [-2.5], [-0.3], [0], [1.96], [4]]),
  ...direct('normalQuantile', special.normalQuantile, [
    [1e-12],
    [0.001],
    [0.025],
    [0.3],
    [0.5],
    [0.975],
    [0.99999],
  ]),
  ...direct('incompleteBeta', special.incompleteBeta, [
    [0.2, 2, 5],
    [0.5, 0.5, 0.5],
    [0.9, 30, 2],
    [0.499, 4000, 4000],
  ]),
  ...direct('studentQuantile', special.studentQuantile, [
    [0.975, 2],
    [0.975, 29],
    [0.975, 999],
    [0.9995, 9],
    [0.05, 7],
  ]),
  ...direct('coinCdf', special.coinCdf, [
    [0, 5],
    [4, 10],
    [1490, 3000],
    [24_800, 50_000],
  ]),
  ...direct('coinProbability', special.coinProbability, [
    [2, 9],
    [500, 1000],
  ]),
  ...direct(
    'standardDeviation',
    (values: number[]) => standardDeviation(values),
    [sample(50) as never].map((values) => [values]),
  ),
]

const YES_NO: readonly Case[] = [
  ...[
    [0, 10, 0.95],
    [7, 10, 0.95],
    [10, 10, 0.99],
    [431, 2000, 0.95],
    [3, 40_000, 0.95],
  ].map(([yes = 0, count = 0, confidence = 0]) => ({
    name: 'wilson',
    arguments: [yes, count, confidence],
    values: bounds(wilsonInterval(yes, count, confidence)),
  })),
  ...[
    [1, 0],
    [3, 3],
    [2, 9],
    [0, 6],
    [40, 61],
    [1200, 1300],
  ].map(([onlyFirst = 0, onlySecond = 0]) => {
    const { midP, exact } = mcNemar({ onlyFirst, onlySecond })
    return { name: 'mcnemar', arguments: [onlyFirst, onlySecond], values: [midP, exact] }
  }),
  ...[
    [30, 2, 7, 0.95],
    [30, 0, 4, 0.95],
    [44, 0, 1, 0.95],
    [300, 31, 12, 0.99],
    [100_000, 900, 1000, 0.95],
    [20, 3, 3, 0.9],
  ].map(([count = 0, onlyFirst = 0, onlySecond = 0, confidence = 0]) => ({
    name: 'tango',
    arguments: [count, onlyFirst, onlySecond, confidence],
    values: bounds(shareDifference({ count, onlyFirst, onlySecond }, confidence)),
  })),
]

/** What ClickHouse computes from the scores of each answer of each example. */
function varianceTotals(examples: readonly (readonly (readonly number[])[])[]): VarianceTotals {
  const total = {
    answers: 0,
    judge: 0,
    answersDegrees: 0,
    judgeDegrees: 0,
    scores: 0,
    crowding: 0,
    repeated: 0,
  }
  for (const answers of examples) {
    const all = answers.flat()
    for (const scores of answers) {
      total.answers += scores.length * (mean(scores) - mean(all)) ** 2
      for (const score of scores) total.judge += (score - mean(scores)) ** 2
      total.crowding += scores.length ** 2 / all.length
    }
    total.answersDegrees += answers.length - 1
    total.judgeDegrees += all.length - answers.length
    total.scores += all.length
  }
  return total
}

const SEVERAL: readonly Case[] = [
  ...[[0.01, 0.04, 0.03, 0.005], [0.5], [0.9, 0.9, 0.02], [0.001, 0.001, 0.2, 1]].map((p) => ({
    name: 'holm',
    arguments: [p],
    values: holm(p),
  })),
  ...direct('detectable', minimalDetectableDifference, [
    [0.4, 30],
    [1.7, 3000],
  ]),
  ...direct('examplesFor', examplesFor, [
    [0.03, 0.4],
    [0.5, 2],
  ]),
  ...direct('passAtLeastOnce', passAtLeastOnce, [
    [1, 5, 2],
    [0, 4, 2],
    [3, 10, 5],
    [4, 4, 3],
  ]),
  ...direct('passAlways', passAlways, [
    [4, 5, 2],
    [1, 4, 2],
    [9, 10, 3],
    [4, 4, 4],
  ]),
  ...[
    [
      [[1, 2], [4]],
      [[3, 3.5, 5], [1, 1], [2]],
      [[2], [3]],
    ],
    Array.from({ length: 20 }, () => Array.from({ length: 3 }, () => sample(2, normal(random) * 2))),
  ].map((examples) => {
    const parts = partsOfTotals(varianceTotals(examples))
    return {
      name: 'varianceParts',
      arguments: [examples],
      values: [parts?.answers ?? -1, parts?.judge ?? -1],
    }
  }),
]

const JUDGES: readonly Case[] = [
  ...[
    [40, 5, 8, 47],
    [3, 1, 0, 9],
    [700, 30, 90, 400],
  ].map(([truePositive = 0, falsePositive = 0, falseNegative = 0, trueNegative = 0]) => {
    const quality = judgeQuality({ truePositive, falsePositive, falseNegative, trueNegative })
    const rates = [quality.agreement, quality.sensitivity, quality.specificity]
    return {
      name: 'judge',
      arguments: [[truePositive, falsePositive, falseNegative, trueNegative]],
      values: [...rates.map(({ value }) => value ?? -1), quality.kappa?.value ?? -2],
    }
  }),
  ...[
    [
      [20, 5],
      [10, 15],
    ],
    [
      [9, 1],
      [0, 3],
    ],
    [
      [10, 2, 1],
      [3, 20, 4],
      [0, 5, 30],
    ],
  ].map((table) => {
    const kappa = cohensKappa(table)
    return {
      name: 'kappa',
      arguments: [table],
      values: [kappa?.value ?? -2, ...bounds(kappa?.interval ?? { low: 0, high: 0 })],
    }
  }),
  ...[
    [620, 1000, 45, 50, 38, 50],
    [5, 4000, 90, 100, 97, 100],
    [90, 100, 19, 20, 10, 20],
  ].map(([yes = 0, count = 0, seYes = 0, seCount = 0, spYes = 0, spCount = 0]) => {
    const corrected = correctedRate(
      { yes, count },
      { yes: seYes, count: seCount },
      { yes: spYes, count: spCount },
    )
    return {
      name: 'correctedRate',
      arguments: [yes, count, seYes, seCount, spYes, spCount],
      values: [corrected?.value ?? -1, ...bounds(corrected?.interval ?? { low: 0, high: 0 })],
    }
  }),
  ...[40, 500].map((count) => {
    const scores = Array.from({ length: count }, () => Math.round(uniform(random) * 50) / 50)
    const labels = scores.map((score) => uniform(random) < 0.2 + 0.6 * score)
    const result = calibration(scores.map((score, i) => ({ score, isYes: labels[i] === true })))
    const bins = result?.bins ?? []
    return {
      name: 'calibration',
      arguments: [scores, labels.map(Number)],
      values: [
        result?.brier ?? -1,
        result?.expectedError ?? -1,
        result?.ranking ?? -1,
        ...bins.map(({ meanScore }) => meanScore),
        ...bins.map(({ accepted }) => accepted.value ?? -1),
      ],
    }
  }),
]

/** Of resamples that both get, the interval is a closed formula. Of resamples of their own, bounds differ by chance. */
async function resampledCases(): Promise<Case[]> {
  const cases: Case[] = []
  for (const values of [sample(30), skewed(30), skewed(200)]) {
    const data = Float64Array.from(values)
    const means = await bootstrapMean(data, random, slice, 3000)
    for (const isExpanded of [false, true])
      cases.push({
        name: 'bca',
        arguments: [[...means.means], means.estimate, values, 0.95, isExpanded],
        values: bounds(bcaInterval(means, 0.95, isExpanded)),
      })
    const many = await bootstrapMean(data, random, slice, 20_000)
    const error = standardDeviation(many.means)
    // The standard error of a 2.5 % quantile of 20,000 resamples is 0.02 standard errors of the mean; of each side.
    cases.push({
      name: 'bootstrap',
      arguments: [values],
      values: [...bounds(bcaInterval(many, 0.95, false)), error],
      tolerance: error * 0.12,
    })
  }
  for (const values of [sample(6, 0.7), skewed(9), [1, 1, -1, 2, 0, 0, 3], sample(10, 1)])
    cases.push({
      name: 'permutation',
      arguments: [values],
      values: [await signFlipTest(Float64Array.from(values), random, slice)],
    })
  for (const values of [sample(40, 0.3), skewed(300)])
    cases.push({
      name: 'permutation',
      arguments: [values],
      values: [await signFlipTest(Float64Array.from(values), random, slice, 20_000)],
      tolerance: 0.015,
    })
  return cases
}

export async function allCases(): Promise<readonly Case[]> {
  return [...SPECIAL, ...YES_NO, ...SEVERAL, ...JUDGES, ...(await resampledCases())]
}
