import { type Count, Output, type Step } from './step.ts'

/** Steps of one stage run concurrently, one per lane; the steps of a lane run one after the other. */
export type Stage = readonly (readonly Step[])[]

interface Result {
  readonly name: string
  readonly count: Count
  readonly seconds: number
}

/**
 * Runs every step, also after a failure, prints each step's output when it ends, then a table of steps with their
 * seconds, the failed and retried tests, and `N passed, N failed` as the last line, after the label. Returns the number of
 * failures.
 */
export async function runStages(stages: readonly Stage[], filter: string, label = ''): Promise<number> {
  const begin = performance.now()
  const results: Result[] = []
  for (const stage of stages) {
    await Promise.all(
      stage.map(async (lane) => {
        for (const step of lane) if (step.name.includes(filter)) results.push(await runStep(step))
      }),
    )
  }
  printTable(results, Math.round((performance.now() - begin) / 1000), label)
  return results.reduce((sum, { count }) => sum + count.failed, 0)
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
  return { name, count, seconds }
}

function printTable(results: readonly Result[], totalSeconds: number, label: string): void {
  const width = Math.max(...results.map(({ name }) => name.length), 5)
  const row = (name: string, ...cells: (string | number)[]): string =>
    `| ${name.padEnd(width)} | ${cells.map((cell) => String(cell).padStart(7)).join(' | ')} |\n`
  process.stdout.write(`\n${row('step', 'seconds', 'passed', 'failed')}`)
  process.stdout.write(`|${'-'.repeat(width + 2)}|${'--------:|'.repeat(3)}\n`)
  for (const { name, count, seconds } of results) {
    process.stdout.write(row(name, seconds, count.passed, count.failed))
  }
  const passed = results.reduce((sum, { count }) => sum + count.passed, 0)
  const failed = results.reduce((sum, { count }) => sum + count.failed, 0)
  process.stdout.write(row('wall clock', totalSeconds, passed, failed))
  const notes = results.flatMap(({ count }) => count.notes ?? [])
  if (notes.length > 0) process.stdout.write(`\n${notes.join('\n')}\n`)
  process.stdout.write(`\n${label}${passed} passed, ${failed} failed\n`)
}
