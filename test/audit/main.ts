import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PYTHON_VARIABLES } from '../installations.ts'
import { openApiPython } from '../openapi/environment.ts'
import { type ProgramResult, runProgram } from '../sdk/program.ts'
import { startServerProcess } from '../server-process.ts'

/**
 * `npm run test:audit`: two external audits against a new server from dist/, if they are beside the repository in
 * ../shared/audit: the specification rule by rule, and how one user fares while another abuses the server. `--part spec`
 * or `--part neighbours` selects one, `--seconds N` is the time per attack, `--only TEXT` selects modules or attacks.
 */
const { values } = parseArgs({
  options: {
    part: { type: 'string', default: 'spec,neighbours' },
    seconds: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
  },
})
const AUDITS = fileURLToPath(new URL('../../../shared/audit/', import.meta.url))
const COMMAND = [process.execPath, 'dist/main.js'] as const

interface Count {
  readonly checks: number
  readonly failed: number
}

const counts: Count[] = []
if (existsSync(AUDITS)) {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-audit-'))
  for (const part of values.part.split(',')) counts.push(await runAudit(part, join(directory, part)))
  await rm(directory, { recursive: true, force: true })
} else {
  console.log('there are no audits beside the repository')
}
const checks = counts.reduce((sum, count) => sum + count.checks, 0)
const failed = counts.reduce((sum, count) => sum + count.failed, 0)
console.log(`audits: ${checks} checks, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** Each audit gets a server of its own: they leave hundreds of megabytes of calls behind. */
async function runAudit(part: string, data: string): Promise<Count> {
  const password = randomBytes(16).toString('hex')
  const apiKey = `hd_${randomBytes(24).toString('hex')}`
  const server = await startServerProcess({
    data,
    adminPassword: password,
    apiKey,
    command: COMMAND,
    // As in production where time is measured.
    environment: part === 'neighbours' ? { HEDDLE_DURABILITY: 'power', HEDDLE_OTLP_GRPC_PORT: '0' } : {},
  })
  try {
    const victim = await createUser(data, 'victim')
    const base = ['--base', server.url]
    const select = (only: string): string[] => (only === '' ? [] : ['--only', only])
    if (part === 'spec') {
      const credentials = ['--key', apiKey, '--other-key', victim, '--user', 'admin', '--password', password]
      return readSpecAudit(
        await runPython('spec_audit.py', [...base, ...select(values.only), ...credentials]),
      )
    }
    const attacker = await createUser(data, 'attacker')
    const keys = ['--admin-key', apiKey, '--victim-key', victim, '--attacker-key', attacker]
    const options = ['--all', '--grpc-port', new URL(server.grpcUrl ?? '').port, '--seconds', values.seconds]
    return await judgeNeighbours((only) =>
      runPython('neighbours.py', [...base, ...select(only), ...keys, ...options]),
    )
  } finally {
    await server.stop()
  }
}

function readSpecAudit({ code, output }: ProgramResult): Count {
  const [, checks = 0, failed = 0] = (/^audit: (\d+) checks, (\d+) failed$/m.exec(output) ?? []).map(Number)
  return { checks, failed: failed === 0 && code !== 0 ? 1 : failed }
}

/**
 * One check for each attack, and those that an attack has of its own. An attack during which the other user was too slow,
 * but had no error, is repeated up to twice: the machine may have been busy.
 */
async function judgeNeighbours(attack: (only: string) => Promise<ProgramResult>): Promise<Count> {
  const { code, output } = await attack(values.only)
  const checks = [...output.matchAll(/(?:errors \d+ {2}|check: .*: )(ok|FAIL)/g)].length
  const slow = [...output.matchAll(/^(\S+) .*errors 0; .*errors 0 {2}FAIL$/gm)].map(([, name = '']) => name)
  const failures = [...output.matchAll(/^(.*FAIL.*)$/gm)]
    .map(([line]) => line.trim())
    .filter((line) => !slow.some((name) => line.startsWith(`${name} `)))
  for (const name of slow) {
    let isSlow = true
    for (let retries = 2; isSlow && retries > 0; retries--) {
      console.log(`RETRY ${name}`)
      isSlow = (await attack(name)).code !== 0
    }
    if (isSlow) failures.push(`${name} is too slow, three times`)
  }
  if (failures.length === 0 && slow.length === 0 && code !== 0) failures.push(`exit code ${code}`)
  for (const failure of failures) console.log(`FAIL ${failure}`)
  return { checks, failed: failures.length }
}

/** Creates a user without a password and returns an API key of it. */
async function createUser(data: string, name: string): Promise<string> {
  await run([...COMMAND, 'users', 'create', name, '--no-password', '--data', data], true)
  const { output } = await run([...COMMAND, 'keys', 'create', '--user', name, '--data', data], true)
  const key = /hd_\S+/.exec(output)?.[0]
  if (key === undefined) throw new Error(`no key for ${name}: ${output}`)
  return key
}

function runPython(program: string, args: readonly string[]): Promise<ProgramResult> {
  return openApiPython().then((python) => run([python, join(AUDITS, program), ...args], false))
}

function run(command: readonly string[], isQuiet: boolean): Promise<ProgramResult> {
  const env = { ...process.env, ...PYTHON_VARIABLES, PYTHONUNBUFFERED: '1' }
  return runProgram(command, { env, cwd: process.cwd(), isQuiet })
}
