import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runStages, type Stage } from './ci/run-steps.ts'
import { npmScript } from './ci/step.ts'
import {
  auditStep,
  browserStep,
  clusterStep,
  openApiStep,
  opsStep,
  otlpStep,
  sdkStep,
  statisticsStep,
  vitestStep,
} from './ci/suites.ts'

/**
 * `npm run test:long`: what `.ci/run` has no time for, about three hours on two cores. Runs nightly. Arguments select
 * the steps whose names contain one of them.
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
        ['npx', 'vitest', 'run', '--project', 'unit', 'src/store/calls/columns/field-encoder.test.ts'],
        { HEDDLE_TEST_DOCUMENTS: '10000000' },
      ),
    ],
  ],
  [
    [
      vitestStep(
        'retention with faults, 200 runs',
        directory,
        [...testDb, 'test/db/retention-property.test.ts'],
        { HEDDLE_RETENTION_RUNS: '200' },
      ),
    ],
  ],
  [
    [
      vitestStep(
        'retention with faults on shards, 200 runs',
        directory,
        [...testDb, '--cluster', 'test/db/retention-property.test.ts'],
        { HEDDLE_RETENTION_RUNS: '200' },
      ),
    ],
  ],
  [
    [
      vitestStep('retention of 10,000 projects', directory, [...testDb, 'test/db/retention-scale.test.ts'], {
        HEDDLE_RETENTION_PROJECTS: '10000',
        HEDDLE_RETENTION_CALLS: '1000000',
      }),
    ],
  ],
  [
    [
      vitestStep('database tests, external ClickHouse', directory, [...testDb, '--external'], {
        HEDDLE_TEST_LONG: '1',
      }),
    ],
  ],
  // The release check takes a minute of processor time, most of it in npm: 118 s at a load of 20 on 2026-11-19.
  [[npmScript('build', 'build'), npmScript('release check', 'release:check'), browserStep(['--long'])]],
  [[sdkStep('SDKs, both Python releases', [], 120)]],
  [[otlpStep([], 300)]],
  [[statisticsStep(['--long'], 80)]],
  [[npmScript('import test', 'test:import')]],
  [[opsStep(['--long'], 60)]],
  [[clusterStep(['--long'], 1000)]],
  [[npmScript('live test', 'livetest')]],
  [[openApiStep([], 10_000)]],
  [[auditStep('audits', [])]],
  [[npmScript('kill test', 'killtest', '--rounds', '60')]],
  [[npmScript('storm, 10 minutes', 'stormtest', '--seconds', '600')]],
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

const failed = await runStages(stages, process.argv.slice(2))
await rm(directory, { recursive: true, force: true })
process.exitCode = failed === 0 ? 0 : 1
