import type { Micros } from '../core/time/time.ts'
import { type Assistant, type Catalog, HELPFULNESS, MENTIONS } from './catalog.ts'
import { chatCompletion, SMALL_MODEL } from './model-calls.ts'
import { QUESTIONS } from './questions.ts'
import type { Random } from './random.ts'
import { ROOT, type Step, type Trace } from './steps.ts'

/** An evaluation run of one version of the assistant, recorded as the Python SDK does. */

interface Trial {
  readonly step: Step
  readonly correct: boolean
  readonly score: number
  readonly latency: number
}

/** Rows that each version gets wrong. */
const WRONG: readonly ReadonlySet<number>[] = [new Set([1, 4, 7, 10]), new Set([7])]

export function runName(n: number): string {
  return `evaluation ${n}`
}

/** Keys of the steps that feedback refers to. */
export const predictKey = (row: number): string => `predict ${row}`
export const scoreKey = (scorer: string, row: number): string => `${scorer} ${row}`

export interface Run {
  readonly trace: Trace
  readonly trials: readonly Pick<Trial, 'correct' | 'score'>[]
}

export function evaluationRun(n: 0 | 1, startedAt: Micros, catalog: Catalog, random: Random): Run {
  const assistant = catalog.assistants[n]
  const trials = QUESTIONS.map((_, row) =>
    makeTrial(row, WRONG[n]?.has(row) === true, assistant, catalog, random),
  )
  const count = trials.filter(({ correct }) => correct).length
  const summary = {
    [MENTIONS]: { correct: { true_count: count, true_fraction: count / trials.length } },
    [HELPFULNESS]: { score: { mean: mean(trials.map(({ score }) => score)) } },
    model_latency: { mean: mean(trials.map(({ latency }) => latency)) },
  }
  const self = catalog.evaluation
  const root: Step = {
    op: 'Evaluation.evaluate',
    key: ROOT,
    display_name: n === 0 ? 'small model, first prompt' : 'large model, second prompt',
    inputs: { self, model: assistant.ref },
    output: summary,
    ms: 60,
    steps: [
      ...trials.map(({ step }) => step),
      { op: 'Evaluation.summarize', inputs: { self }, output: summary, ms: 4 },
    ],
  }
  return { trace: { name: runName(n), startedAt, attributes: { env: 'evaluation' }, root }, trials }
}

function makeTrial(
  row: number,
  isWrong: boolean,
  assistant: Assistant,
  catalog: Catalog,
  random: Random,
): Trial {
  const { question, expected, good, poor } = QUESTIONS[row] ?? QUESTIONS[0]!
  const output = isWrong ? poor : good
  const ms = random.between(420, 1_900)
  const correct = output.toLowerCase().includes(expected.toLowerCase())
  const score = random.between(isWrong ? 20 : 70, isWrong ? 55 : 98) / 100
  const latency = ms / 1000
  const helpful = {
    score,
    reason: isWrong ? 'Polite, but does not answer the question.' : 'Answers the question.',
  }
  const messages = [
    { role: 'system', content: assistant.instructions },
    { role: 'user', content: question },
  ] as const
  const steps: Step[] = [
    {
      op: 'ShopAssistant.predict',
      key: predictKey(row),
      inputs: { self: assistant.ref, question },
      output,
      ms: 3,
      steps: [chatCompletion({ model: assistant.model, messages, reply: { content: output }, ms })],
    },
    { op: MENTIONS, key: scoreKey(MENTIONS, row), inputs: { expected, output }, output: { correct }, ms: 1 },
    {
      op: `${HELPFULNESS}.score`,
      key: scoreKey(HELPFULNESS, row),
      inputs: { self: catalog.helpfulness, question, output },
      output: helpful,
      ms: 5,
      steps: [helpfulnessStep(question, output, helpful, random.between(300, 900))],
    },
  ]
  const step: Step = {
    op: 'Evaluation.predict_and_score',
    inputs: { self: catalog.evaluation, model: assistant.ref, example: catalog.rowRef(row) },
    output: { output, scores: { [MENTIONS]: { correct }, [HELPFULNESS]: helpful }, model_latency: latency },
    ms: 8,
    steps,
  }
  return { step, correct, score, latency }
}

function helpfulnessStep(question: string, output: string, rating: object, ms: number): Step {
  const messages = [
    { role: 'system', content: 'Rate from 0 to 1 how helpful a reply is, and explain why. Respond in JSON.' },
    { role: 'user', content: JSON.stringify({ question, output }) },
  ] as const
  return chatCompletion({ model: SMALL_MODEL, messages, reply: { content: JSON.stringify(rating) }, ms })
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
