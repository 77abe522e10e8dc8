import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assistantPython } from '../test/browser/program/assistant.ts'
import { openApiPython } from '../test/openapi/environment.ts'
import { instrumentedPython } from '../test/otlp/environments.ts'
import { pythonEnvironments, typescriptEnvironment } from '../test/sdk/environments.ts'
import { statisticsPython } from '../test/statistics/environment.ts'
import { chromium } from './ci/chromium.ts'
import { EXTERNAL_CLICKHOUSE_FILES } from './ci/external-clickhouse-files.ts'
import { node24 } from './ci/node24.ts'
import { runStages, type Stage } from './ci/run-steps.ts'
import { checkServe } from './ci/serve.ts'
import { npmScript, type Step } from './ci/step.ts'
import {
  browserStep,
  clusterStep,
  conformanceStep,
  openApiStep,
  opsStep,
  otlpStep,
  sdkStep,
  statisticsStep,
  vitestStep,
} from './ci/suites.ts'

/**
 * The steps of `.ci/run` after `npm ci`: everything a change must pass; what takes longer is in scripts/test-long.ts.
 * Arguments select the steps whose names contain one of them.
 */

/** 68 minutes on two cores: those of a busy host are slower. The bound may only fall. */
const MAX_PROCESSOR_SECONDS = 68 * 60 * 2

const directory = join(tmpdir(), `heddle-ci-${randomUUID()}`)
const testDb = ['npm', 'run', '--silent', 'test:db', '--']

/** Downloads that later steps need, while the checks use the processors. */
const downloads: Step = {
  name: 'downloads',
  run: async () => {
    chromium()
    await Promise.all([
      pythonEnvironments(),
      typescriptEnvironment(),
      openApiPython(),
      statisticsPython(),
      assistantPython(),
      instrumentedPython('openinference'),
      instrumentedPython('pydantic-ai'),
    ])
    return { passed: 1, failed: 0 }
  },
}

const checks: Step[] = ['types', 'lint', 'format', 'dead', 'structure', 'generated'].map((name) =>
  npmScript(`check:${name}`, `check:${name}`),
)

const serve = (name: string, node: () => Promise<string>): Step => ({
  name,
  run: async (output) => {
    const stepDirectory = join(directory, name.replaceAll(/\W+/g, '-'))
    await mkdir(stepDirectory)
    return checkServe(output, await node(), join(stepDirectory, 'data'))
  },
})

export const stages: readonly Stage[] = [
  [
    [
      ...checks,
      vitestStep('unit tests', directory, [
        'npx',
        'vitest',
        'run',
        '--project',
        'unit',
        '--project',
        'components',
      ]),
      npmScript('build', 'build'),
      npmScript('path of a write', 'path-length'),
    ],
    [downloads, statisticsStep([], 80)],
  ],
  [[serve('serve on this Node', async () => process.execPath)]],
  [[serve('serve on Node 24', () => node24(directory))]],
  // The SDKs sleep most of the time: they wait for their own queues. They are done when the browser begins to measure.
  [[browserStep()], [sdkStep('SDKs', ['--older', 'some', '--outage-seconds', '30'], 80)]],
  [
    [
      vitestStep('database tests, embedded ClickHouse', directory, testDb, {
        HEDDLE_PROPERTY_RUNS: '10',
        HEDDLE_RETENTION_RUNS: '2',
      }),
    ],
    [
      conformanceStep(),
      npmScript('import test', 'test:import', '--calls', '2000', '--rows', '1000'),
      openApiStep(['--quick'], 1_000),
      otlpStep(['--quick'], 130),
      vitestStep(
        'database tests, external ClickHouse',
        directory,
        [...testDb, '--external', ...EXTERNAL_CLICKHOUSE_FILES],
        { HEDDLE_PROPERTY_RUNS: '10' },
      ),
    ],
    // The checks of operation wait most of the time.
    [opsStep(['--quick'], 100)],
  ],
  // Alone: it measures how long requests of one user take while others abuse the server.
  [[npmScript('storm', 'stormtest', '--seconds', '60')]],
  [
    [npmScript('chaos', 'chaos', '--seconds', '60', '--outage-seconds', '10', '--built')],
    [clusterStep(['--quick'], 1_900)],
  ],
]

// Not if a test reads the stages.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // A job without a build runs servers from source.
  process.env['HEDDLE_TEST_BUILT'] = '1'
  await mkdir(directory)
  const failed = await runStages(stages, process.argv.slice(2), {
    maxProcessorSeconds: MAX_PROCESSOR_SECONDS,
  })
  await rm(directory, { recursive: true, force: true })
  process.exitCode = failed === 0 ? 0 : 1
}
