import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { readSettings } from '../app/settings.ts'
import type { Client } from '../client/client.ts'
import { type GateRules, gateRules, type GateVerdict } from '../contract/evaluations/gates.ts'
import { type Arguments, type Command, type Environment, JSON_OPTION, UsageError } from './command.ts'
import { connectHeddle, missingOption, parseProjectId, retryWithProgress } from './connection.ts'
import {
  githubAnnotations,
  gitlabReport,
  junitReport,
  markdownReport,
  textReport,
} from './gate/gate-report.ts'
import { createProgress } from './import/progress.ts'

/** Other failures end with 1, invalid command lines with 2. */
const EXIT_CODES: Readonly<Record<GateVerdict, number>> = { pass: 0, fail: 3, not_enough_data: 4 }

const CONNECTION_OPTIONS = { url: { type: 'string' }, data: { type: 'string' } } as const

/** `heddle gate`: decides in CI whether an evaluation run is as good as a baseline. */
export const gateCommand: Command = {
  usage:
    'ENTITY/PROJECT --run RUN [--baseline RUN] [--rules FILE] [--allow-undecided] [--pin] [--junit FILE] [--markdown FILE] [--gitlab FILE] [--url URL] [--data DIR] [--json]',
  summary:
    'Compare an evaluation run with a baseline, by default the pinned one; RUN is an id or a name. Exit code 0: pass, 3: fail, 4: not enough data, which --allow-undecided lets pass. --pin makes a run that passes the baseline. API key: HEDDLE_GATE_KEY.',
  options: {
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
    run: { type: 'string' },
    baseline: { type: 'string' },
    rules: { type: 'string' },
    'allow-undecided': { type: 'boolean' },
    pin: { type: 'boolean' },
    junit: { type: 'string' },
    markdown: { type: 'string' },
    gitlab: { type: 'string' },
  },
  run: async (args, environment) => {
    const [project = ''] = args.positionals('ENTITY/PROJECT')
    const path = projectPath(project)
    const run = args.text('run') ?? missingOption('--run RUN')
    const rulesFile = args.text('rules')
    const rules = rulesFile === undefined ? {} : await readRules(rulesFile)
    const client = await connect(args, environment)
    const baseline = args.text('baseline') ?? null
    const response = await client.call('evaluation_gate', { ...path, run, baseline, rules })
    const { result } = response
    environment.stdout.write(
      args.flag('json') ? `${JSON.stringify(response, null, 2)}\n` : textReport(result),
    )
    const files = { junit: junitReport(result), markdown: markdownReport(result) }
    for (const [option, text] of Object.entries(files)) await writeReport(args.text(option), text)
    await writeReport(args.text('gitlab'), gitlabReport(result, rulesFile ?? '.gitlab-ci.yml'))
    const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = environment.env
    if (GITHUB_ACTIONS === 'true') environment.stderr.write(githubAnnotations(result))
    if (GITHUB_STEP_SUMMARY !== undefined && GITHUB_STEP_SUMMARY !== '')
      await appendFile(GITHUB_STEP_SUMMARY, files.markdown)
    if (args.flag('pin') && result.verdict === 'pass')
      await client.call('evaluation_baseline_set', { ...path, run: result.run })
    const isAllowed = result.verdict === 'not_enough_data' && args.flag('allow-undecided')
    return isAllowed ? 0 : EXIT_CODES[result.verdict]
  },
}

/** `heddle baseline`: makes a run the baseline of its evaluation. */
export const baselineCommand: Command = {
  usage: 'ENTITY/PROJECT --run ID [--url URL] [--data DIR]',
  summary:
    'Make an evaluation run the baseline that later runs of its evaluation are compared with. API key: HEDDLE_GATE_KEY.',
  options: { ...CONNECTION_OPTIONS, run: { type: 'string' } },
  run: async (args, environment) => {
    const [project = ''] = args.positionals('ENTITY/PROJECT')
    const path = projectPath(project)
    const run = args.text('run') ?? missingOption('--run ID')
    const client = await connect(args, environment)
    const { evaluation } = await client.call('evaluation_baseline_set', { ...path, run })
    environment.stderr.write(`run ${run} is the baseline of ${evaluation.replaceAll(/\p{Cc}/gu, '?')}\n`)
  },
}

function projectPath(text: string): { entity: string; project: string } {
  const [entity = '', project = ''] = parseProjectId(text, 'the project').split('/')
  return { entity, project }
}

function connect(args: Arguments, environment: Environment): Promise<Client> {
  const settings = readSettings(environment.env, args.storage())
  const progress = createProgress(environment, true, () => performance.now())
  const retry = retryWithProgress(progress)
  return connectHeddle(environment, settings, args.text('url'), 'HEDDLE_GATE_KEY', retry)
}

async function readRules(file: string): Promise<GateRules> {
  const text = await readFile(file, 'utf8')
  try {
    return gateRules.strict().parse(JSON.parse(text))
  } catch (error) {
    throw new UsageError(`--rules ${file} is not valid: ${reason(error)}`)
  }
}

function reason(error: unknown): string {
  const issues = (error as { issues?: readonly { path: readonly PropertyKey[]; message: string }[] }).issues
  const [first] = issues ?? []
  if (first === undefined) return error instanceof Error ? error.message : String(error)
  return `${first.path.map(String).join('.') || 'the file'}: ${first.message}`
}

async function writeReport(file: string | undefined, text: string): Promise<void> {
  if (file !== undefined) await writeFile(file, text)
}
