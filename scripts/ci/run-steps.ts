import { watchStolenTime } from '../../test/stolen-time.ts'
import { type Count, Output, type Step } from './step.ts'

/** Steps of one stage run concurrently, one per lane; the steps of a lane run one after the other. */
export type Stage = readonly (readonly Step[])[]

interface Result {
  readonly name: string
  readonly count: Count
  readonly seconds: number
  readonly processorSeconds: number
}

export interface RunOptions {
  /** Before the last line. */
  readonly label?: string
  /** More processor time than this is a failure, so that the steps do not grow unnoticed. Elapsed time depends on other work. */
  readonly maxProcessorSeconds?: number
}

/**
 * Runs every step whose name contains one of the words, or every step if there is no word, also after a failure. Prints each
 * step's output when it ends, then a table of steps with their seconds, the failed and retried tests, and
 * `N passed, N failed` as the last line, after the label. Returns the number of failures.
 */
export async function runStages(
  stages: readonly Stage[],
  words: readonly string[],
  { label = '', maxProcessorSeconds = Number.POSITIVE_INFINITY }: RunOptions = {},
): Promise<number> {
  const begin = performance.now()
  const slowdown = watchStolenTime()
  const results: Result[] = []
  for (const stage of stages) {
    await Promise.all(
      stage.map(async (lane) => {
        for (const step of lane) if (isSelected(step, words)) results.push(await runStep(step))
      }),
    )
  }
  const processorSeconds = totalProcessorSeconds(results)
  if (processorSeconds > maxProcessorSeconds) results.push(overBudget(processorSeconds, maxProcessorSeconds))
  printTable(results, Math.round((performance.now() - begin) / 1000), slowdown(), label)
  return results.reduce((sum, { count }) => sum + count.failed, 0)
}

export function isSelected({ name }: Step, words: readonly string[]): boolean {
  return words.length === 0 || words.some((word) => name.includes(word))
}

async function runStep({ name, run }: Step): Promise<Result> {
  process.stdout.write(`--- ${name}: started\n`)
  const begin = performance.now()
  const output = new Output()
  const count = await run(output).catch((error: unknown) => {
    output.write(`${String(error)}\n`)
    return { passed: 0, failed: 1, notes: [`FAILED  ${name}: ${String(error)}`] }
  })
  const seconds = Math.round((performance.now() - begin) / 1000)
  process.stdout.write(`\n=== ${name}\n${output.text}\n`)
  process.stdout.write(`--- ${name}: ${count.passed} passed, ${count.failed} failed, ${seconds} s\n`)
  return { name, count, seconds, processorSeconds: Math.round(output.processorSeconds) }
}

function totalProcessorSeconds(results: readonly Result[]): number {
  return results.reduce((sum, result) => sum + result.processorSeconds, 0)
}

function overBudget(used: number, allowed: number): Result {
  const minutes = (seconds: number): string => (seconds / 60).toFixed(0)
  const note = `FAILED  budget: ${minutes(used)} minutes of processor time, ${minutes(allowed)} allowed; make tests cheaper, or move some to scripts/test-long.ts`
  return { name: 'budget', count: { passed: 0, failed: 1, notes: [note] }, seconds: 0, processorSeconds: 0 }
}

function printTable(results: readonly Result[], totalSeconds: number, slowdown: number, label: string): void {
  const width = Math.max(...results.map(({ name }) => name.length), 5)
  const row = (name: string, ...cells: (string | number)[]): string =>
    `| ${name.padEnd(width)} | ${cells.map((cell) => String(cell).padStart(7)).join(' | ')} |\n`
  process.stdout.write(`\n${row('step', 'seconds', 'CPU', 'passed', 'failed')}`)
  process.stdout.write(`|${'-'.repeat(width + 2)}|${'--------:|'.repeat(4)}\n`)
  for (const { name, count, seconds, processorSeconds } of results) {
    process.stdout.write(row(name, seconds, processorSeconds, count.passed, count.failed))
  }
  const passed = results.reduce((sum, { count }) => sum + count.passed, 0)
  const failed = results.reduce((sum, { count }) => sum + count.failed, 0)
  const processorSeconds = totalProcessorSeconds(results)
  process.stdout.write(row('wall clock', totalSeconds, processorSeconds, passed, failed))
  process.stdout.write(`\nthe host slowed this machine down ${slowdown.toFixed(2)} times\n`)
  const notes = results.flatMap(({ count }) => count.notes ?? [])
  if (notes.length > 0) process.stdout.write(`\n${notes.join('\n')}\n`)
  process.stdout.write(`\n${label}${passed} passed, ${failed} failed\n`)
}
