import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PYTHON_VARIABLES } from '../installations.ts'
import { runProgram } from '../sdk/program.ts'
import { PATIENT_READS, startServerProcess } from '../server-process.ts'
import { openApiPython } from './environment.ts'

/**
 * `npm run test:openapi`: checks `/openapi.json` with openapi-spec-validator, then runs Schemathesis against all
 * operations of a server from dist/: what the document allows must be accepted, anything else rejected, and every
 * response must be as described. `--only REGEX` selects paths, `--examples N` the random requests per operation, and `--quick`
 * leaves out the systematic ones, which are the same in every run.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    examples: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
})

/** Alone and last, because the server refuses all other requests for a project that is being deleted. */
const LAST = 'project_delete'

/**
 * One process with one thread for each group of paths, because most of the time is spent waiting for the server, and
 * Python's parser, which Hypothesis uses, fails in concurrent threads.
 */
const PATH_GROUPS = ['^/api/', '^/v2/', '^/(calls?|feedback|obj|objs|refs|trace)(/|$)']
const SELECTIONS =
  values.only === undefined
    ? [
        ...PATH_GROUPS.map((group) => [`--include-path-regex=${group}`, `--exclude-operation-id=${LAST}`]),
        [`--exclude-path-regex=${PATH_GROUPS.join('|')}`],
      ]
    : [[`--include-path-regex=${values.only}`]]

interface Count {
  readonly operations: number
  readonly cases: number
  readonly failed: number
}

/** The parts of the report that are read. */
interface Report {
  readonly operations: { readonly tested: number; readonly selected: number }
  readonly test_cases: { readonly generated: number; readonly unique_failures: number }
  readonly errors: readonly unknown[]
}

const directory = await mkdtemp(join(tmpdir(), 'heddle-openapi-'))
const adminPassword = randomBytes(16).toString('hex')
const python = await openApiPython()
const server = await startServerProcess({
  data: join(directory, 'data'),
  adminPassword,
  logFile: join(directory, 'server.log'),
  environment: PATIENT_READS,
  command: [process.execPath, 'dist/main.js'],
})
let counts: readonly Count[]
try {
  counts = [await checkDocument(), ...(await Promise.all(SELECTIONS.map(checkOperations)))]
  if (values.only === undefined)
    counts = [...counts, await checkOperations([`--include-operation-id=${LAST}`], SELECTIONS.length)]
} finally {
  await server.stop()
}
const sum = (name: keyof Count): number => counts.reduce((total, count) => total + count[name], 0)
if (sum('failed') > 0) console.log(await readFile(join(directory, 'server.log'), 'utf8'))
await rm(directory, { recursive: true, force: true })
console.log(`openapi: ${sum('operations')} operations, ${sum('cases')} cases, ${sum('failed')} failed`)
process.exitCode = sum('failed') === 0 ? 0 : 1

async function checkDocument(): Promise<Count> {
  const path = join(directory, 'openapi.json')
  await writeFile(path, await (await fetch(`${server.url}/openapi.json`)).text())
  const { code, output } = await run(['-m', 'openapi_spec_validator', path], directory)
  console.log(output)
  return { operations: 0, cases: 1, failed: code === 0 ? 0 : 1 }
}

async function checkOperations(selection: readonly string[], index: number): Promise<Count> {
  // Schemathesis writes a cache into its working directory.
  const cwd = join(directory, String(index))
  await mkdir(cwd)
  const report = join(cwd, 'report.json')
  const { code, output } = await run(
    [
      '-m',
      'schemathesis.cli',
      `--config-file=${local('schemathesis.toml')}`,
      'run',
      `${server.url}/openapi.json`,
      '--no-color',
      ...selection,
      // A password, because some requests revoke keys of the caller.
      `--auth=admin:${adminPassword}`,
      `--report-json-path=${report}`,
      ...(values.quick ? ['--phases=fuzzing,stateful'] : []),
      ...(values.examples === undefined ? [] : [`--max-examples=${values.examples}`]),
    ],
    cwd,
  )
  console.log(output)
  const text = await readFile(report, 'utf8').catch(() => '')
  // Schemathesis writes its report when it ends.
  if (text === '') return { operations: 0, cases: 0, failed: 1 }
  const { operations, test_cases, errors } = JSON.parse(text) as Report
  const failed = test_cases.unique_failures + errors.length + operations.selected - operations.tested
  return {
    operations: operations.tested,
    cases: test_cases.generated,
    failed: failed === 0 && code !== 0 ? 1 : failed,
  }
}

function run(args: readonly string[], cwd: string): ReturnType<typeof runProgram> {
  const env = { ...process.env, ...PYTHON_VARIABLES, SCHEMATHESIS_HOOKS: local('hooks.py') }
  return runProgram([python, ...args], { env, cwd, isQuiet: true })
}

function local(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
