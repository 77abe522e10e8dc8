import { inspectStorage } from '../app/inspect-storage.ts'
import { createLog } from '../app/log.ts'
import { readSettings, type Settings } from '../app/settings.ts'
import { createClient } from '../client/client.ts'
import { withCliCommand } from './cli-command.ts'
import { type Arguments, type Command, type Environment, JSON_OPTION, STORAGE_OPTIONS } from './command.ts'
import { findServerUrl, heddleKey, readSavedKey } from './connection.ts'
import {
  type DoctorContext,
  type Finding,
  type Level,
  problem,
  type Server,
  skipped,
} from './doctor/check.ts'
import { CHECKS } from './doctor/checks.ts'
import { fetchText } from './doctor/fetch-text.ts'
import { firstLine, unreachable } from './doctor/unreachable.ts'
import { isReachable } from './running-server.ts'

/** `heddle doctor`: examines ClickHouse, the server and the environment. It changes nothing but a project of its own. */
export const doctorCommand: Command = {
  usage: '[--data DIR | --clickhouse-url URL] [--url URL] [--json]',
  summary:
    'Find what is wrong with this installation, each finding with a remedy. Exit code 0: no problems, 1: problems. API key: HEDDLE_DOCTOR_KEY.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION, url: { type: 'string' } },
  run: async (args, environment) => {
    args.positionals()
    const findings = await examine(args, environment)
    const count = (level: Level): number => findings.filter((finding) => finding.level === level).length
    const problems = count('problem')
    if (args.flag('json')) {
      const report = { is_ok: problems === 0, problems, warnings: count('warning'), findings }
      environment.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    } else {
      for (const finding of findings) environment.stdout.write(findingText(finding))
    }
    if (problems > 0) throw new Error(problems === 1 ? '1 problem found' : `${problems} problems found`)
  },
}

interface CheckFinding extends Finding {
  readonly check: string
}

/** A person waits. */
const RETRY_WINDOW_MS = 1_500

async function examine(args: Arguments, environment: Environment): Promise<CheckFinding[]> {
  const settings = readSettings(environment.env, {
    ...args.storage(),
    retryWindowMs: RETRY_WINDOW_MS,
    slowQueryMs: 0,
    logLevel: 'silent',
  })
  const server = await findServer(args, environment, settings)
  const storage = await inspect(settings, isExpected(args, environment, server))
  try {
    const context: DoctorContext = { env: environment.env, settings, storage, server }
    const findings: CheckFinding[] = []
    for (const check of CHECKS)
      for (const finding of await runCheck(() => check.run(context)))
        findings.push({ check: check.name, ...finding })
    return findings
  } finally {
    if (!('reason' in storage)) await storage.close()
  }
}

async function runCheck(
  run: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return await run()
  } catch (error) {
    return [
      problem(
        `the check failed: ${firstLine(error)}`,
        'look at the log of ClickHouse; its user needs SELECT on the database and on system tables',
      ),
    ]
  }
}

/** Whether there must be data: somebody named its directory, or there would be nothing else to examine. */
function isExpected(args: Arguments, { env }: Environment, server: Server | undefined): boolean {
  if (args.text('data') !== undefined || (env['HEDDLE_DATA'] ?? '') !== '') return true
  return (
    server === undefined &&
    ['WANDB_BASE_URL', 'WF_TRACE_SERVER_URL', 'WANDB_API_KEY'].every((name) => !env[name])
  )
}

async function inspect(settings: Settings, isDataExpected: boolean): Promise<DoctorContext['storage']> {
  try {
    const storage = await inspectStorage(settings, createLog(settings))
    if (storage !== undefined) return storage
    const { dataDirectory } = settings
    const reason = isDataExpected
      ? problem(
          `the data directory ${dataDirectory} does not exist, so nothing could be examined`,
          'name another with --data, or an external ClickHouse with --clickhouse-url; a first start of the server creates the directory',
        )
      : skipped(`there is no data in ${dataDirectory} yet; a first start creates it`)
    return { reason }
  } catch (error) {
    return { reason: unreachable(error, settings) }
  }
}

async function findServer(
  args: Arguments,
  environment: Environment,
  settings: Settings,
): Promise<Server | undefined> {
  const url = await findServerUrl(settings, args.text('url'))
  if (args.text('url') === undefined && !(await isReachable(url))) return undefined
  const given = heddleKey(environment, 'HEDDLE_DOCTOR_KEY')
  const local =
    args.text('url') === undefined
      ? (settings.initApiKey ?? (await readSavedKey(settings.dataDirectory)))
      : ''
  const key = given === '' ? local : given
  const responds = (await fetchText(`${url}/livez`)).status !== 0
  if (key === '') return { url, responds, client: undefined }
  const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`
  return { url, responds, client: createClient({ url, authorization }) }
}

const LABELS: Readonly<Record<Level, string>> = {
  ok: 'ok',
  warning: 'WARNING',
  problem: 'PROBLEM',
  skipped: 'skipped',
}

function findingText({ check, level, message, remedy }: CheckFinding): string {
  const line = `${LABELS[level].padEnd(7)}  ${check}: ${message}\n`
  return withCliCommand(remedy === undefined ? line : `${line}         ${remedy}\n`)
}
