import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { allCases } from './cases.ts'
import { simulate } from './coverage.ts'
import { statisticsPython } from './environment.ts'
import { SCENARIOS } from './samples.ts'

/**
 * `npm run test:statistics`: compares src/core/statistics with SciPy, statsmodels and scikit-learn, and counts in simulated
 * comparisons how often intervals contain the truth. `--long` simulates 2,000 comparisons of each kind, also of 3,000 examples,
 * instead of 400.
 */
const { values } = parseArgs({ options: { long: { type: 'boolean', default: false } } })

const TOLERANCE = 1e-9
const SIZES = values.long ? [30, 300, 3000] : [30, 300]

let [passed, failed] = [0, 0]
await compareWithPython()
await simulateComparisons()
console.log(`statistics: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function check(name: string, isRight: boolean, details: string): void {
  if (isRight) passed++
  else failed++
  if (!isRight) console.log(`FAILED ${name}: ${details}`)
}

async function compareWithPython(): Promise<void> {
  const cases = await allCases()
  const python = await statisticsPython()
  const script = fileURLToPath(new URL('reference.py', import.meta.url))
  const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(cases.map((each) => [each.name, each.arguments])))
  const expected = JSON.parse(await text(child.stdout)) as readonly (readonly number[])[]
  for (const [i, { name, arguments: args, values: ours, tolerance = TOLERANCE }] of cases.entries()) {
    const theirs = expected[i] ?? []
    const isEqual =
      ours.length === theirs.length &&
      ours.every((value, n) => {
        const other = theirs[n] ?? NaN
        return (
          Math.abs(value - other) <=
          tolerance * Math.max(tolerance === TOLERANCE ? 0 : 1, Math.abs(other)) + 1e-15
        )
      })
    const shown = JSON.stringify(args).slice(0, 80)
    check(name, isEqual, `${shown} is [${ours.join(', ')}], but in Python [${theirs.join(', ')}]`)
  }
  console.log(`${cases.length} values compared with Python`)
}

async function simulateComparisons(): Promise<void> {
  const comparisons = values.long ? 2000 : 400
  const resamples = values.long ? 1000 : 600
  // With fewer comparisons the share itself is less certain: three of its standard errors beside the limits.
  const margin = values.long ? 0 : 3 * Math.sqrt((0.05 * 0.95) / comparisons)
  for (const scenario of SCENARIOS) {
    for (const size of SIZES) {
      const { covered, falseAlarms } = await simulate(scenario, size, comparisons, resamples)
      const details = `${percent(covered)} of the intervals contain the truth, ${percent(falseAlarms)} false alarms`
      console.log(`${scenario.name}, ${size} examples: ${details}`)
      const name = `${scenario.name}, ${size} examples`
      check(name, covered >= 0.93 - margin && covered <= 0.97 + margin, details)
      // Of a test that is exact, 2,000 repetitions alarm in 5 % ± 1.5 points.
      check(name, falseAlarms <= 0.05 + Math.max(margin, 0.015), details)
    }
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`
}
