import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Count, runCommand, type Step } from './step.ts'

/** Adapters from each test suite's own report to the count of a step. */

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly startTime: number
    readonly endTime: number
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** Reads vitest's JSON report, and names the slowest files. A run that exits non-zero without a failed test (a broken file) counts as one failure. */
export function vitestStep(
  name: string,
  directory: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Step {
  return {
    name,
    run: async (output) => {
      const report = join(directory, `${name.replaceAll(/\W+/g, '-')}.json`)
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
      const options = { env: { ...process.env, ...env } }
      const { code } = await runCommand(output, [...command, ...reporters], options)
      const { numPassedTests, numFailedTests, testResults } = JSON.parse(
        await readFile(report, 'utf8'),
      ) as VitestReport
      return {
        passed: numPassedTests,
        failed: numFailedTests === 0 && code !== 0 ? 1 : numFailedTests,
        notes: [...testResults.flatMap(notesOf), ...slowestFiles(testResults)],
      }
    },
  }
}

function notesOf({ name: file, message, assertionResults }: VitestReport['testResults'][number]): string[] {
  return [
    ...(message === '' ? [] : [`FAILED  ${basename(file)}: ${firstLines(message)}`]),
    ...assertionResults
      .filter(({ failureMessages }) => failureMessages.length > 0)
      .map(({ fullName, status, failureMessages }) => {
        const mark = status === 'passed' ? 'RETRIED' : 'FAILED '
        return `${mark} ${basename(file)}: ${fullName}: ${firstLines(failureMessages.join(' '))}`
      }),
  ]
}

/** Where to look first when the steps take too long. */
const SLOWEST_FILES = 5

function slowestFiles(results: VitestReport['testResults']): string[] {
  return results
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST_FILES)
    .map(({ name, seconds }) => `SLOWEST ${basename(name)}: ${seconds.toFixed(0)} s`)
}

function firstLines(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 600)
}

/** Reads a suite's closing line; a missing or incomplete one counts as a failure. */
function closingLineStep(
  name: string,
  command: readonly string[],
  options: {
    readonly pattern: RegExp
    readonly count: (numbers: readonly number[]) => { passed: number; failed: number; isComplete: boolean }
    readonly notes?: (text: string) => string[]
  },
): Step {
  return {
    name,
    run: async (output): Promise<Count> => {
      const { code, text } = await runCommand(output, command)
      const line = options.pattern.exec(text)
      if (line === null) return { passed: 0, failed: 1, notes: [`FAILED  ${name}: no closing line`] }
      const { passed, failed, isComplete } = options.count(line.slice(1).map(Number))
      return {
        passed,
        failed: failed === 0 && (code !== 0 || !isComplete) ? 1 : failed,
        notes: options.notes?.(text) ?? [],
      }
    },
  }
}

/** The specification over plain HTTP: ten operations, at least 150 rows. */
export function conformanceStep(args: readonly string[] = []): Step {
  return closingLineStep('conformance', ['npm', 'run', '--silent', 'conformance', '--', '--quiet', ...args], {
    pattern: /conformance: (\d+) operations, (\d+) rows, (\d+) failed\s*$/,
    count: ([operations = 0, rows = 0, failed = 0]) => ({
      passed: rows - failed,
      failed,
      isComplete: operations === 10 && rows >= 150,
    }),
  })
}

/** Programs of the official SDKs. `minimumPython` guards against a suite that silently shrinks. */
export function sdkStep(name: string, args: readonly string[], minimumPython: number): Step {
  return closingLineStep(name, ['npm', 'run', '--silent', 'test:sdk', '--', ...args], {
    pattern: /sdk: python (\d+) passed, typescript (\d+) passed, (\d+) failed\s*$/,
    count: ([python = 0, typescript = 0, failed = 0]) => ({
      passed: python + typescript,
      failed,
      isComplete: python >= minimumPython && typescript >= 20,
    }),
  })
}

/** The OpenAPI document and all operations against it. */
export function openApiStep(args: readonly string[], minimumCases: number): Step {
  return closingLineStep('OpenAPI', ['npm', 'run', '--silent', 'test:openapi', '--', ...args], {
    pattern: /openapi: (\d+) operations, (\d+) cases, (\d+) failed\s*$/,
    count: ([operations = 0, cases = 0, failed = 0]) => ({
      passed: Math.max(operations + 1 - failed, 0),
      failed,
      isComplete: operations >= 130 && cases >= minimumCases,
    }),
  })
}

/** Statistics against SciPy, statsmodels and scikit-learn, and simulated comparisons. */
export function statisticsStep(args: readonly string[], minimum: number): Step {
  return closingLineStep('statistics', ['npm', 'run', '--silent', 'test:statistics', '--', ...args], {
    pattern: /statistics: (\d+) passed, (\d+) failed\s*$/,
    count: ([passed = 0, failed = 0]) => ({ passed, failed, isComplete: passed >= minimum }),
    notes: (text) => [...text.matchAll(/^FAILED (.*)$/gm)].map(([line]) => line),
  })
}

/** Programs with OpenTelemetry exporters and instrumentations. */
export function otlpStep(args: readonly string[], minimum: number): Step {
  return closingLineStep('OpenTelemetry', ['npm', 'run', '--silent', 'test:otlp', '--', ...args], {
    pattern: /otlp: (\d+) passed, (\d+) failed\s*$/,
    count: ([passed = 0, failed = 0]) => ({ passed, failed, isComplete: passed >= minimum }),
    notes: (text) => [...text.matchAll(/^FAIL (.*)$/gm)].map(([line]) => `FAILED  ${line}`),
  })
}

/** Audits beside the repository; without them there is nothing to count. */
export function auditStep(name: string, args: readonly string[]): Step {
  return closingLineStep(name, ['npm', 'run', '--silent', 'test:audit', '--', ...args], {
    pattern: /audits: (\d+) checks, (\d+) failed\s*$/,
    count: ([checks = 0, failed = 0]) => ({ passed: checks - failed, failed, isComplete: true }),
    notes: (text) =>
      [...text.matchAll(/^(FAIL|RETRY) (.*)$/gm)].map(
        ([, mark, what]) => `${mark === 'RETRY' ? 'RETRIED' : 'FAILED '} ${name}: ${what}`,
      ),
  })
}

/** What operators rely on; `leastPassed` notices suites that are no longer run. */
export function opsStep(args: readonly string[], leastPassed: number): Step {
  return closingLineStep('operation', ['npm', 'run', '--silent', 'test:ops', '--', ...args], {
    pattern: /ops: (\d+) passed, (\d+) failed\s*$/,
    count: ([passed = 0, failed = 0]) => ({ passed, failed, isComplete: passed >= leastPassed }),
    notes: (text) =>
      [...text.matchAll(/^FAIL +(.*)\n\s*(.*)/gm)].map(([, check, reason]) => `FAILED  ${check}: ${reason}`),
  })
}

/** Two nodes on two shards; `leastPassed` notices parts that are no longer run. */
export function clusterStep(args: readonly string[], leastPassed: number): Step {
  return closingLineStep('cluster', ['npm', 'run', '--silent', 'test:cluster', '--', ...args], {
    pattern: /cluster: (\d+) passed, (\d+) failed\s*$/,
    count: ([passed = 0, failed = 0]) => ({ passed, failed, isComplete: passed >= leastPassed }),
    notes: (text) => [...text.matchAll(/^(FAILED|RETRIED) .*$/gm)].map(([line]) => line),
  })
}

/** Journeys through the web UI. */
export function browserStep(args: readonly string[] = []): Step {
  const command = ['npm', 'run', '--silent', 'test:browser', '--', ...args]
  return closingLineStep('browser', command, {
    pattern: /browser: (\d+) passed, (\d+) failed\s*$/,
    count: ([passed = 0, failed = 0]) => ({ passed, failed, isComplete: passed >= 200 }),
    notes: (text) =>
      [...text.matchAll(/^(FAIL|RETRY) +(.*)\n\s*(.*)/gm)].map(
        ([, mark, journey, reason]) => `${mark === 'RETRY' ? 'RETRIED' : 'FAILED '} ${journey}: ${reason}`,
      ),
  })
}
