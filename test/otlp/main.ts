import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runProgram } from '../sdk/program.ts'
import { PATIENT_READS, startServerProcess } from '../server-process.ts'
import { stacks } from './checks.ts'
import type { Checks } from './stack-checks.ts'
import { type StackResult, writeTable } from './table.ts'
import { startModelServer } from '../model-server.ts'
import { type Instrumentation, instrumentations } from './instrumentations.ts'
import { programVariables } from './program-variables.ts'
import { readCalls } from './read-calls.ts'

/**
 * `npm run test:otlp`: runs programs with real OpenTelemetry exporters and instrumentations, unmodified, against a new
 * server and a model API on loopback, and checks the calls as read back. `--only` selects programs by a regular expression, `--quick` those
 * that are quick to install, `--dump` prints the calls, `--table` writes their results into docs/opentelemetry.md.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    dump: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
  },
})
const selected = instrumentations.filter(
  ({ name, isLong }) => new RegExp(values.only).test(name) && !(values.quick && isLong === true),
)
const apiKey = `hd_${randomBytes(24).toString('hex')}`
const directory = await mkdtemp(join(tmpdir(), 'heddle-otlp-'))
const model = await startModelServer()
const server = await startServerProcess({
  data: join(directory, 'data'),
  adminPassword: randomBytes(16).toString('hex'),
  apiKey,
  environment: { ...PATIENT_READS, HEDDLE_OTLP_GRPC_PORT: '0' },
})
const results: StackResult[] = []
try {
  for (const each of selected) {
    results.push(await runInstrumentation(each))
    if (values.table) await writeTable(results)
  }
} finally {
  await server.stop()
  await model.stop()
  await rm(directory, { recursive: true, force: true })
}
const outcomes = results.flatMap(({ passed }) => Object.values(passed))
const failed = outcomes.filter((isPassed) => !isPassed).length
console.log(`otlp: ${outcomes.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** Runs the program, then its checks. */
async function runInstrumentation(each: Instrumentation): Promise<StackResult> {
  const stack = stacks[each.name]
  if (stack === undefined) throw new Error(`${each.name} has no checks`)
  const project_id = `acme/${each.name}`
  const command = await each.command()
  const { code, output } = await runProgram(command, {
    env: {
      ...programVariables({ url: server.url, apiKey, project_id, modelUrl: model.url, home: directory }),
      ...(each.isGrpc === true ? grpcVariables() : {}),
      ...each.variables,
    },
    cwd: directory,
    isQuiet: true,
  })
  const calls = await readCalls(server.url, apiKey, project_id)
  if (values.dump) console.log(each.name, JSON.stringify(calls, null, 2))
  const all: Checks = { 'runs without errors': () => assertQuiet(code, output), ...stack.checks }
  const passed: Record<string, boolean> = {}
  for (const [name, check] of Object.entries(all)) {
    try {
      check(calls)
      passed[name] = true
    } catch (error) {
      console.log(`FAIL ${each.name}: ${name}\n${error instanceof Error ? error.message : String(error)}`)
      passed[name] = false
    }
  }
  return { stack, passed }
}

function grpcVariables(): NodeJS.ProcessEnv {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: server.grpcUrl, OTEL_EXPORTER_OTLP_INSECURE: 'true' }
}

/** Exporters report a rejected export in their log only. */
function assertQuiet(code: number, output: string): void {
  if (code !== 0 || /failed to export|export(er)? error|transient error|status code: [45]/i.test(output))
    throw new Error(`exit code ${code}: ${output.slice(-2_000)}`)
}
