import { randomBytes } from 'node:crypto'
import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startModelServer } from '../model-server.ts'
import { PATIENT_READS, startServerProcess } from '../server-process.ts'
import {
  pythonEnvironments,
  type PythonEnvironment,
  typescriptEnvironment,
  type TypeScriptEnvironment,
} from './environments.ts'
import { runOutageTest } from './outage.ts'
import { programEnvironment, runProgram, temporaryDirectory, typescriptVariables } from './program.ts'

/**
 * `npm run test:sdk`: runs the official SDKs, unmodified, against a new Heddle server. `--only python|typescript|outage`
 * selects a part, `--match WORDS` selects Python programs, `--older some` fewer programs with the older release.
 */
interface Count {
  readonly passed: number
  readonly failed: number
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'python,typescript,outage' },
    match: { type: 'string', default: '' },
    older: { type: 'string', default: 'full' },
    'outage-seconds': { type: 'string', default: '60' },
  },
})
const parts = values.only.split(',')
/** The older release differs in how it starts and writes: `--older some` runs only these of its programs. */
const OLDER_RELEASE_FILES = ['test_start.py', 'test_write_paths.py']
const NO_TESTS: Count = { passed: 0, failed: 0 }

const apiKey = `hd_${randomBytes(24).toString('hex')}`
const directory = await temporaryDirectory()
const [pythons, typescript] = await Promise.all([pythonEnvironments(), typescriptEnvironment()])

let python = NO_TESTS
let node = NO_TESTS
if (parts.includes('python') || parts.includes('typescript')) {
  const model = await startModelServer()
  const server = await startServerProcess({
    data: join(directory, 'data'),
    adminPassword: randomBytes(16).toString('hex'),
    apiKey,
    environment: {
      ...PATIENT_READS,
      HEDDLE_OPENAI_API_KEY: 'sk-1',
      HEDDLE_OPENAI_BASE_URL: `${model.url}/v1`,
      HEDDLE_MODELS_ALLOWED_NETWORKS: '127.0.0.1',
    },
  })
  try {
    const env = await programEnvironment(server.url, apiKey, directory)
    if (parts.includes('python'))
      for (const [index, each] of pythons.entries()) {
        const files = index > 0 && values.older === 'some' ? OLDER_RELEASE_FILES : []
        python = addCounts(python, await pythonPrograms(each, env, files))
      }
    if (parts.includes('typescript')) node = addCounts(node, await typescriptPrograms(typescript, env))
  } finally {
    await server.stop()
    await model.stop()
  }
}
if (parts.includes('outage')) {
  const seconds = Number(values['outage-seconds'])
  const [latest] = pythons
  if (latest === undefined) throw new Error('versions.json has no Python release')
  const counts = await runOutageTest({
    apiKey,
    directory,
    seconds,
    python: latest.python,
    programs: typescript.programs,
  })
  python = addCounts(python, counts.python)
  node = addCounts(node, counts.typescript)
}
await rm(directory, { recursive: true, force: true })

const failed = python.failed + node.failed
console.log(`sdk: python ${python.passed} passed, typescript ${node.passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function addCounts(one: Count, other: Count): Count {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed }
}

async function pythonPrograms(
  environment: PythonEnvironment,
  env: NodeJS.ProcessEnv,
  files: readonly string[],
): Promise<Count> {
  console.log(`\n--- weave ${environment.version} from PyPI`)
  const report = join(directory, `python-${environment.version}.xml`)
  const command = [environment.python, '-m', 'pytest', '-q', '-rs', '--tb=short', '-p', 'no:cacheprovider']
  // Programs mostly wait for the queues of the SDK, so more of them run in parallel than there are cores.
  command.push('-n', '6', `--junitxml=${report}`)
  const programs = fileURLToPath(new URL('python', import.meta.url))
  command.push(...(files.length === 0 ? [programs] : files.map((file) => join(programs, file))))
  if (values.match !== '') command.push('-k', values.match)
  const { code } = await runProgram(command, { env, cwd: directory })
  const suite = /<testsuite [^>]*>/.exec(await readFile(report, 'utf8').catch(() => ''))?.[0] ?? ''
  const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(suite)?.[1] ?? 0)
  const failed = count('failures') + count('errors')
  const passed = Math.max(0, count('tests') - failed - count('skipped'))
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed }
}

async function typescriptPrograms(
  environment: TypeScriptEnvironment,
  env: NodeJS.ProcessEnv,
): Promise<Count> {
  console.log(`\n--- weave ${environment.version} from npm`)
  const report = join(directory, 'typescript.tap')
  const files = await readdir(environment.programs)
  const programs = files.filter((name) => name.endsWith('.test.mjs'))
  const command = [process.execPath, '--test', '--test-reporter=spec', '--test-reporter-destination=stdout']
  command.push('--test-reporter=tap', `--test-reporter-destination=${report}`)
  command.push(...programs.map((name) => join(environment.programs, name)))
  const { code } = await runProgram(command, { env: typescriptVariables(env), cwd: directory })
  const tap = await readFile(report, 'utf8').catch(() => '')
  const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(tap)?.[1] ?? 0)
  const failed = count('fail') + count('cancelled')
  return { passed: count('pass'), failed: failed === 0 && code !== 0 ? 1 : failed }
}
