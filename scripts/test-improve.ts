import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `npm run test:improve`: the tests of model access, with the ClickHouse of `npm run test:db`. They are part of the unit and
 * database tests; this runs them alone, and counts them.
 */
const SUITES = [
  [
    'npx',
    'vitest',
    'run',
    '--project',
    'unit',
    'src/core/models',
    'src/app/models',
    'src/app/secret-keys.test.ts',
  ],
  [
    'npm',
    'run',
    '--silent',
    'test:db',
    '--',
    'test/db/secrets.test.ts',
    'test/db/models.test.ts',
    'test/db/model-budgets.test.ts',
  ],
]

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
}

const directory = await mkdtemp(join(tmpdir(), 'heddle-improve-'))
let passed = 0
let failed = 0
for (const [command = '', ...args] of SUITES) {
  const file = join(directory, `${SUITES.length}-${passed}.json`)
  const run = spawn(
    command,
    [...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    {
      stdio: 'inherit',
    },
  )
  const [status] = (await once(run, 'exit')) as [number | null]
  const report = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => ({ numPassedTests: 0, numFailedTests: 0 }),
  )
  passed += report.numPassedTests
  // A suite that does not start has no test that fails.
  failed += Math.max(report.numFailedTests, status === 0 ? 0 : 1)
}
await rm(directory, { recursive: true, force: true })
console.log(`improve: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
