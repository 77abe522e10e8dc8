import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assistantPython } from '../test/browser/program/assistant.ts'
import { openApiPython } from '../test/openapi/environment.ts'
import { pythonEnvironments, typescriptEnvironment } from '../test/sdk/environments.ts'
import { chromium } from './ci/chromium.ts'
import { EXTERNAL_CLICKHOUSE_FILES } from './ci/external-clickhouse-files.ts'
import { node24 } from './ci/node24.ts'
import { runStages, type Stage } from './ci/run-steps.ts'
import { checkServe } from './ci/serve.ts'
import { npmScript, type Step } from './ci/step.ts'
import {
  auditStep,
  browserStep,
  clusterStep,
  conformanceStep,
  openApiStep,
  opsStep,
  otlpStep,
  sdkStep,
  vitestStep,
} from './ci/suites.ts'

/**
 * The steps of `.ci/run` after `npm ci`: everything a change must pass. The budget is 35 minutes on two idle cores, which
 * they exceed (44 on 2026-11-18, with both processors busy throughout); what takes longer is in
 * scripts/test-long.ts. An argument selects the steps whose names contain it.
 */
const directory = await mkdtemp(join(tmpdir(), 'heddle-ci-'))
const testDb = ['npm', 'run', '--silent', 'test:db', '--']

/** Downloads that later steps need, while the checks use the processors. */
const downloads: Step = {
  name: 'downloads',
  run: async () => {
    chromium()
    await Promise.all([pythonEnvironments(), typescriptEnvironment(), openApiPython(), assistantPython()])
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

const stages: Stage[] = [
  [
    [
      ...checks,
      vitestStep('unit tests', directory, ['npx', 'vitest', 'run', '--project', 'unit']),
      npmScript('build', 'build'),
    ],
    [downloads],
  ],
  [[serve('serve on this Node', async () => process.execPath)]],
  [[serve('serve on Node 24', () => node24(directory))]],
  // The SDKs sleep most of the time: they wait for their own queues. They are done when the browser begins to measure.
  [[browserStep()], [sdkStep('SDKs', ['--older', 'third'], 80)]],
  [
    [
      vitestStep('database tests, embedded ClickHouse', directory, testDb, { HEDDLE_PROPERTY_RUNS: '40' }),
      vitestStep(
        'database tests, external ClickHouse',
        directory,
        [...testDb, '--external', ...EXTERNAL_CLICKHOUSE_FILES],
        { HEDDLE_PROPERTY_RUNS: '20' },
      ),
    ],
    [
      conformanceStep(),
      npmScript('import test', 'test:import', '--calls', '5000'),
      openApiStep(),
      otlpStep(['--quick'], 60),
      auditStep('audit of the specification', ['--part', 'spec']),
    ],
  ],
  // Alone: it measures how long requests of one user take while another abuses the server.
  [[auditStep('audit of neighbours', ['--part', 'neighbours', '--seconds', '2'])]],
  // The checks of operation wait most of the time.
  [
    [
      npmScript('kill test', 'killtest', '--rounds', '6'),
      npmScript('chaos', 'chaos', '--seconds', '60', '--outage-seconds', '10', '--built'),
      clusterStep(['--quick'], 2_200),
    ],
    [opsStep([], 60)],
  ],
]

const failed = await runStages(stages, process.argv[2] ?? '')
await rm(directory, { recursive: true, force: true })
process.exitCode = failed === 0 ? 0 : 1
