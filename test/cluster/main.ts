import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runStages } from '../../scripts/ci/run-steps.ts'
import { npmScript, type Step } from '../../scripts/ci/step.ts'
import { conformanceStep, vitestStep } from '../../scripts/ci/suites.ts'
import { CLUSTER_FILES, QUICK_FILES } from './files.ts'
import { checkStatements } from './statements.ts'

/**
 * `npm run test:cluster`: what runs on one ClickHouse must run the same on two shards with two nodes: the specification,
 * tests of all operations, property tests, live feed, export, SQL sandbox. `--only WORD` selects parts by name, `--quick` runs
 * fewer database tests and no live feed, and `--long` all. Needs `npm run build`.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
  },
})
const directory = await mkdtemp(join(tmpdir(), 'heddle-cluster-'))

const statements: Step = {
  name: 'statements of each shard',
  run: async (output) => {
    const checks = await checkStatements((line) => output.write(`${line}\n`))
    const failed = checks.filter(({ error }) => error !== undefined)
    return {
      passed: checks.length - failed.length,
      failed: failed.length,
      notes: failed.map(({ name, error }) => `FAILED  ${name}: ${error}`),
    }
  },
}

const files = values.long ? [] : values.quick ? QUICK_FILES : CLUSTER_FILES
const databaseTests = vitestStep(
  'database tests',
  directory,
  ['npm', 'run', '--silent', 'test:db', '--', '--cluster', ...files],
  { HEDDLE_PROPERTY_RUNS: values.long ? '200' : '10' },
)

const liveFeed = npmScript(
  'live feed',
  'livetest',
  '--cluster',
  '--seconds',
  values.long ? '60' : '15',
  '--cuts',
  '20',
)

const failed = await runStages(
  [[[statements]], [[databaseTests], [conformanceStep(['--cluster']), ...(values.quick ? [] : [liveFeed])]]],
  values.only === '' ? [] : [values.only],
  { label: 'cluster: ' },
)
await rm(directory, { recursive: true, force: true })
process.exitCode = failed === 0 ? 0 : 1
