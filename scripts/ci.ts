import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { chromium } from './ci/chromium.ts'
import { checkServe } from './ci/serve.ts'
import { node24 } from './ci/node24.ts'

/** What .ci/run does after `npm ci`: every step runs, whatever became of those before; then the sum. */
interface Count {
  readonly passed: number
  readonly failed: number
  /** What failed, if only at its first attempt: named beside the sum, where the output of an hour ends. */
  readonly failures?: readonly string[]
}

type Step = [string, () => Promise<Count>]

const temporary = await mkdtemp(join(tmpdir(), 'heddle-ci-'))
const only = process.argv[2] ?? ''

const steps: Step[] = [
  ...['types', 'lint', 'format', 'dead', 'generated'].map((name): Step => [
    `check:${name}`,
    async () => asCount(await npm(`check:${name}`)),
  ]),
  ['unit tests', () => vitest('unit', ['npx', 'vitest', 'run', '--project', 'unit'])],
  ['build', async () => asCount(await npm('build'))],
  ['serve on this Node', async () => checkServe(process.execPath, join(temporary, 'serve'))],
  ['serve on Node 24', async () => checkServe(await node24(temporary), join(temporary, 'serve-24'))],
  ['browser', browser],
  // A busy machine may fail a test that measures time: once more, and the sum names it.
  ['database tests, built-in engine', () => vitest('db', ['npm', 'run', 'test:db', '--', '--retry=1'])],
  [
    'database tests, ClickHouse by URL',
    // The statements are the same: fewer random ones will do, and every text and body was tried above.
    () =>
      vitest(
        'db-url',
        [
          'npm',
          'run',
          'test:db',
          '--',
          '--url-engine',
          '--retry=1',
          '--exclude',
          'test/db/every-{body,text}.test.ts',
        ],
        { HEDDLE_PROPERTY_RUNS: '60' },
      ),
  ],
  ['conformance', conformance],
  ['import test', async () => asCount(await npm('test:import', '--calls', '5000'))],
  ['SDKs', sdks],
  ['kill test', async () => asCount(await npm('killtest', '--rounds', '20'))],
  ['chaos', async () => asCount(await npm('chaos', '--seconds', '90', '--outage-seconds', '10'))],
]

const counts: [string, Count, number][] = []
for (const [name, run] of steps) {
  if (!name.includes(only)) continue
  process.stdout.write(`\n=== ${name}\n`)
  const start = performance.now()
  const count = await run().catch((error: unknown) => {
    process.stdout.write(`${String(error)}\n`)
    return { passed: 0, failed: 1 }
  })
  counts.push([name, count, Math.round((performance.now() - start) / 1000)])
}
await rm(temporary, { recursive: true, force: true })

process.stdout.write('\n')
for (const [name, { passed, failed, failures = [] }, seconds] of counts) {
  process.stdout.write(
    `${failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${passed} passed, ${failed} failed, ${seconds} s\n`,
  )
  for (const failure of failures) process.stdout.write(`     ${failure}\n`)
}
const passed = counts.reduce((sum, [, count]) => sum + count.passed, 0)
const failed = counts.reduce((sum, [, count]) => sum + count.failed, 0)
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

function asCount(code: number): Count {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function npm(script: string, ...args: string[]): Promise<number> {
  return (await run(['npm', 'run', '--silent', script, '--', ...args])).code
}

/** Exit code and what was printed, which is also shown. */
async function run(
  command: readonly string[],
  options: SpawnOptions = {},
): Promise<{ code: number; text: string }> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options })
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    process.stdout.write(chunk)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? 1, text }
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** Counted from the report; a run that ends badly without a failed test (a broken file) counts as one. */
async function vitest(name: string, command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Count> {
  const report = join(temporary, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code } = await run([...command, ...reporters], { env: { ...process.env, ...env } })
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(
    await readFile(report, 'utf8'),
  ) as VitestReport
  return {
    passed: numPassedTests,
    failed: numFailedTests === 0 && code !== 0 ? 1 : numFailedTests,
    failures: testResults.flatMap(({ name: file, message, assertionResults }) => [
      ...(message === '' ? [] : [`${basename(file)}: ${opening(message)}`]),
      ...assertionResults
        .filter(({ failureMessages }) => failureMessages.length > 0)
        .map(({ fullName, status, failureMessages }) => {
          const attempt = status === 'passed' ? ' (passed at its second attempt)' : ''
          return `${basename(file)}: ${fullName}${attempt}: ${opening(failureMessages.join(' '))}`
        }),
    ]),
  }
}

/** Enough to know what went wrong; the whole is further up. */
function opening(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 600)
}

async function conformance(): Promise<Count> {
  const { code, text } = await run(['npm', 'run', '--silent', 'conformance', '--', '--quiet'])
  const line = /conformance: (\d+) operations, (\d+) rows, (\d+) failed\s*$/.exec(text)
  if (line === null) return { passed: 0, failed: 1 }
  const [operations, rows, failed] = line.slice(1).map(Number) as [number, number, number]
  const complete = operations === 10 && rows >= 150
  return { passed: rows - failed, failed: failed === 0 && (code !== 0 || !complete) ? 1 : failed }
}

/** The programs of the official SDKs: 60 for each Python release, and those of TypeScript. */
async function sdks(): Promise<Count> {
  const { code, text } = await run(['npm', 'run', '--silent', 'test:sdk'])
  const line = /sdk: python (\d+) passed, typescript (\d+) passed, (\d+) failed\s*$/.exec(text)
  if (line === null) return { passed: 0, failed: 1 }
  const [python, typescript, failed] = line.slice(1).map(Number) as [number, number, number]
  const complete = python >= 120 && typescript >= 20
  return { passed: python + typescript, failed: failed === 0 && (code !== 0 || !complete) ? 1 : failed }
}

/** Journeys through the web UI, with the pictures of the docs taken beside the repository. */
async function browser(): Promise<Count> {
  const env = { ...process.env, HEDDLE_CHROMIUM: chromium() }
  const images = join(temporary, 'images')
  const command = ['npm', 'run', '--silent', 'test:browser', '--', '--retry', '--images', images]
  const { code, text } = await run(command, { env })
  const line = /browser: (\d+) passed, (\d+) failed\s*$/.exec(text)
  if (line === null) return { passed: 0, failed: 1 }
  const [passed, failed] = line.slice(1).map(Number) as [number, number]
  return {
    passed,
    failed: failed === 0 && (code !== 0 || passed < 40) ? 1 : failed,
    failures: [...text.matchAll(/^(FAIL|AGAIN) {2}(.*)\n\s*(.*)/gm)].map(
      ([, mark, name, why]) => `${name}${mark === 'AGAIN' ? ' (at its first attempt)' : ''}: ${why}`,
    ),
  }
}
