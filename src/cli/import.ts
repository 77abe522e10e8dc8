import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readSettings, type Settings } from '../app/settings.ts'
import { type Client, createClient } from '../client/client.ts'
import { type Patience, patientClient } from '../client/retrying-fetch.ts'
import { type Command, JSON_OPTION, UsageError, type World } from './command.ts'
import { isHeddleKey, keptKey, missing, patienceWith, projectOption, serverUrl } from './connection.ts'
import { copyProject } from './import/copy.ts'
import { Journal } from './import/journal.ts'
import { printOutcome } from './import/outcome.ts'
import { createProgress } from './import/progress.ts'
import { RefMap } from './import/ref-map.ts'
import { Report } from './import/report.ts'

/** `heddle import weave`: a whole project from any server of this protocol. */
export const importWeaveCommand: Command = {
  usage:
    '--from URL --project ENTITY/PROJECT [--to URL] [--to-project ENTITY/PROJECT] [--state FILE] [--data DIR] [--json]',
  summary:
    'Copy a project from another server, such as W&B: calls, objects, tables, files, feedback, prices. Keys: HEDDLE_IMPORT_FROM_KEY, HEDDLE_IMPORT_TO_KEY. Run it again to go on.',
  options: {
    ...JSON_OPTION,
    from: { type: 'string' },
    to: { type: 'string' },
    project: { type: 'string' },
    'to-project': { type: 'string' },
    state: { type: 'string' },
    data: { type: 'string' },
  },
  run: async (args, world) => {
    args.words()
    const settings = readSettings(world.env, args.storage())
    const project_id = projectOption(args, 'project') ?? missing('--project ENTITY/PROJECT')
    const to_project_id = projectOption(args, 'to-project') ?? project_id
    const from = serverUrl(args.text('from') ?? missing('--from URL'))
    const to = serverUrl(args.text('to') ?? `http://127.0.0.1:${settings.port}`)
    const head = { from, to, project_id, to_project_id }
    const progress = createProgress(world, args.flag('json'), () => performance.now())
    const patience = patienceWith(progress)
    const source = await connect(from, fromKey(world, from), patience)
    const target = await connect(to, await toKey(world, settings, args.text('to') === undefined), patience)
    const journal = Journal.open(
      args.text('state') ?? join(settings.dataDirectory, 'import', fileOf(head)),
      head,
    )
    const report = new Report()
    const refs = new RefMap(project_id, to_project_id)
    try {
      const sides = { from: source, to: target, project_id, to_project_id }
      await copyProject({ ...sides, patience, journal, refs, report, progress })
    } finally {
      progress.end()
      journal.close()
    }
    printOutcome(head, report, args, world)
    if (!report.isWhole)
      throw new Error('not everything is equal on both sides; run it again to try the rest')
  },
}

function fileOf(head: object): string {
  return `${createHash('sha256').update(JSON.stringify(head)).digest('hex').slice(0, 16)}.jsonl`
}

/** Keys come from the environment: what stands on a command line, every user of the machine can read. */
function fromKey({ env }: World, from: string): string {
  const wandb = env['WANDB_API_KEY'] ?? ''
  const key = env['HEDDLE_IMPORT_FROM_KEY'] ?? (isHeddleKey(wandb) ? '' : wandb)
  if (key === '') throw new UsageError(`set HEDDLE_IMPORT_FROM_KEY to an API key for ${from}`)
  return key
}

/** For the server of this data directory the key that it keeps there is enough. */
async function toKey({ env }: World, settings: Settings, isLocal: boolean): Promise<string> {
  const wandb = env['WANDB_API_KEY'] ?? ''
  const given = env['HEDDLE_IMPORT_TO_KEY'] ?? (isHeddleKey(wandb) ? wandb : '')
  const key = given === '' && isLocal ? await keptKey(settings.dataDirectory) : given
  if (key === '') throw new UsageError('set HEDDLE_IMPORT_TO_KEY to an API key of the target')
  return key
}

/** The API answers at the URL or under `/traces`, as with W&B servers of one's own. */
async function connect(server: string, key: string, patience: Patience): Promise<Client> {
  const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`
  const options = { authorization, checksAnswers: false }
  for (const base of [`${server}/traces`, server]) {
    const client = createClient({ ...options, url: base })
    const isThere = await client.call('server_info', {}).then(
      () => true,
      () => false,
    )
    if (isThere) return patientClient(client, patience)
  }
  throw new Error(`${server} does not answer as a server of this protocol (GET /server_info)`)
}
