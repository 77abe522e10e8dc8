import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runStages, type Stage } from './ci/run-steps.ts'
import { npmScript } from './ci/step.ts'
import { browserStep, clusterStep, opsStep, otlpStep, sdkStep, vitestStep } from './ci/suites.ts'

/**
 * `npm run test:long`: what `.ci/run` has no time for, about three hours on two cores. Runs nightly. An argument selects
 * the steps whose names contain it.
 */
const directory = await mkdtemp(join(tmpdir(), 'heddle-long-'))
const testDb = ['npm', 'run', '--silent', 'test:db', '--']

const stages: Stage[] = [
  [
    [
      vitestStep(
        'property tests, 5,000 runs',
        directory,
        [
          ...testDb,
          '--testTimeout=7200000',
          'test/db/query-property.test.ts',
          'test/db/metrics-property.test.ts',
          'test/db/call-fold.test.ts',
          'test/db/otlp-property.test.ts',
        ],
        { HEDDLE_PROPERTY_RUNS: '5000' },
      ),
    ],
  ],
  [
    [
      vitestStep(
        'extracted fields of 10,000,000 documents',
        directory,
        ['npx', 'vitest', 'run', '--project', 'unit', 'src/store/calls/field-encoder.test.ts'],
        { HEDDLE_TEST_DOCUMENTS: '10000000' },
      ),
    ],
  ],
  [
    [
      vitestStep('database tests, external ClickHouse', directory, [...testDb, '--external'], {
        HEDDLE_TEST_LONG: '1',
      }),
    ],
  ],
  [[npmScript('build', 'build'), browserStep(['--long'])]],
  [[sdkStep('SDKs, both Python releases', [], 120)]],
  [[otlpStep([], 100)]],
  [[npmScript('import test', 'test:import')]],
  [[opsStep(['--long'], 60)]],
  [[clusterStep(['--long'], 1000)]],
  [[npmScript('live test', 'livetest')]],
  [[npmScript('kill test', 'killtest', '--rounds', '60')]],
  [[npmScript('chaos, 30 minutes', 'chaos', '--seconds', '1800')]],
  [
    [
      npmScript(
        'chaos on a cluster, 30 minutes',
        'chaos',
        '--seconds',
        '1800',
        '--shards',
        '2',
        '--add-shard',
      ),
    ],
  ],
  [[npmScript('soak, 45 minutes', 'soak')]],
]

const failed = await runStages(stages, process.argv[2] ?? '')
await rm(directory, { recursive: true, force: true })
process.exitCode = failed === 0 ? 0 : 1
