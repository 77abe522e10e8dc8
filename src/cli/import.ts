import { createHash } from 'node:crypto'
import { findSecret } from '../app/setting.ts'
import { readSettings, type Settings } from '../app/settings.ts'
import { type Client, createClient } from '../client/client.ts'
import { type RetryOptions, retryingClient } from '../client/retry.ts'
import { type Command, JSON_OPTION, UsageError, type Environment } from './command.ts'
import {
  heddleKey,
  isHeddleKey,
  readSavedKey,
  missingOption,
  retryWithProgress,
  projectOption,
  parseServerUrl,
} from './connection.ts'
import { copyProject } from './import/copy.ts'
import { Journal } from './import/journal.ts'
import { printReport } from './import/print-report.ts'
import { createProgress } from './import/progress.ts'
import { RefMap } from './import/ref-map.ts'
import { Report } from './import/report.ts'
import { stateFile } from './import/state-file.ts'

/** `heddle import weave`: copies a project from another server with Weave's trace API. */
export const importWeaveCommand: Command = {
  usage:
    '--from URL --project ENTITY/PROJECT [--to URL] [--to-project ENTITY/PROJECT] [--state FILE] [--data DIR] [--json]',
  summary:
    'Copy a project from another server, such as W&B: calls, objects, tables, files, feedback, prices. API keys: HEDDLE_IMPORT_FROM_KEY, HEDDLE_IMPORT_TO_KEY. Run it again to continue.',
  options: {
    ...JSON_OPTION,
    from: { type: 'string' },
    to: { type: 'string' },
    project: { type: 'string' },
    'to-project': { type: 'string' },
    state: { type: 'string' },
    data: { type: 'string' },
  },
  run: async (args, environment) => {
    args.positionals()
    const settings = readSettings(environment.env, args.storage())
    const project_id = projectOption(args, 'project') ?? missingOption('--project ENTITY/PROJECT')
    const to_project_id = projectOption(args, 'to-project') ?? project_id
    const from = parseServerUrl(args.text('from') ?? missingOption('--from URL'))
    const to = parseServerUrl(args.text('to') ?? `http://127.0.0.1:${settings.port}`)
    const head = { from, to, project_id, to_project_id }
    const progress = createProgress(environment, args.flag('json'), () => performance.now())
    const retry = retryWithProgress(progress)
    const source = await connect(from, fromKey(environment, from), retry)
    const target = await connect(to, await toKey(environment, settings, args.text('to') === undefined), retry)
    const journal = Journal.open(await stateFile(args, settings, journalName(head)), head)
    const report = new Report()
    const refs = new RefMap(project_id, to_project_id)
    try {
      const sides = { from: source, to: target, project_id, to_project_id }
      await copyProject({ ...sides, retry, journal, refs, report, progress })
    } finally {
      progress.end()
      journal.close()
    }
    printReport(head, report, args, environment)
    if (!report.isComplete) throw new Error('source and target differ; run it again to retry the rest')
  },
}

function journalName(head: object): string {
  return `${createHash('sha256').update(JSON.stringify(head)).digest('hex').slice(0, 16)}.jsonl`
}

/** Keys come from the environment, because every user of the machine can read command lines. */
function fromKey({ env }: Environment, from: string): string {
  const wandb = env['WANDB_API_KEY'] ?? ''
  const key = findSecret(env, 'HEDDLE_IMPORT_FROM_KEY') ?? (isHeddleKey(wandb) ? '' : wandb)
  if (key === '') throw new UsageError(`set HEDDLE_IMPORT_FROM_KEY to an API key for ${from}`)
  return key
}

/** For the local server, falls back to the key saved in its data directory. */
async function toKey(environment: Environment, settings: Settings, isLocal: boolean): Promise<string> {
  const given = heddleKey(environment, 'HEDDLE_IMPORT_TO_KEY')
  const key = given === '' && isLocal ? await readSavedKey(settings.dataDirectory) : given
  if (key === '') throw new UsageError('set HEDDLE_IMPORT_TO_KEY to an API key of the target')
  return key
}

/** The API is served at the URL itself or under `/traces`, as on self-hosted W&B servers. */
async function connect(server: string, key: string, retry: RetryOptions): Promise<Client> {
  const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`
  const options = { authorization, validatesResponses: false }
  for (const base of [`${server}/traces`, server]) {
    const client = createClient({ ...options, url: base })
    const isThere = await client.call('server_info', {}).then(
      () => true,
      () => false,
    )
    if (isThere) return retryingClient(client, retry)
  }
  throw new Error(`${server} is not a Weave trace server: GET /server_info failed`)
}
