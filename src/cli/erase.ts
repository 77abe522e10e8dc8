import { erase, type ErasureReceipt, type ErasureRequest } from '../service/retention/erasure.ts'
import { listErasures } from '../store/retention/erasures.ts'
import { type Arguments, type Command, JSON_OPTION, STORAGE_OPTIONS, UsageError } from './command.ts'
import { operator } from './retention.ts'
import { withStorage } from './storage.ts'
import { printTable } from './table.ts'

/** `heddle erase`: removes data of an end user, of traces or of a project, and prints a receipt. */
export const eraseCommand: Command = {
  usage:
    '--user ID [--project entity/project] | --trace ID[,ID…] --project entity/project | --project entity/project --yes',
  summary:
    'Erase all traces of an end user, single traces, or a whole project, from the files on disk too. Prints a receipt as JSON.',
  options: {
    ...STORAGE_OPTIONS,
    user: { type: 'string' },
    trace: { type: 'string' },
    project: { type: 'string' },
    by: { type: 'string' },
    yes: { type: 'boolean' },
  },
  run: async (args, environment) => {
    args.positionals()
    const request = erasureRequest(args)
    const by = args.text('by') ?? operator()
    const receipt = await withStorage(args, environment, (deps) => erase(deps, request, by))
    environment.stdout.write(`${JSON.stringify(receipt, null, 2)}\n`)
  },
}

function erasureRequest(args: Arguments): ErasureRequest {
  const project_id = args.text('project')
  if (project_id !== undefined && !/^[^/]+\/[^/]+$/.test(project_id))
    throw new UsageError(`--project must be entity/project, not "${project_id}"`)
  const end_user = args.text('user')
  const trace_ids = args
    .text('trace')
    ?.split(',')
    .filter((id) => id !== '')
  if (end_user === '') throw new UsageError('--user must not be empty')
  if (end_user !== undefined && trace_ids !== undefined)
    throw new UsageError('use --user or --trace, not both')
  if (end_user !== undefined) return { kind: 'user', end_user, project_id }
  if (project_id === undefined)
    throw new UsageError(
      trace_ids === undefined ? 'use --user, --trace or --project' : '--trace needs --project',
    )
  if (trace_ids !== undefined) return { kind: 'traces', trace_ids, project_id }
  if (!args.flag('yes'))
    throw new UsageError(`this deletes the project ${project_id} with all its data; add --yes to confirm`)
  return { kind: 'project', project_id }
}

export const listErasuresCommand: Command = {
  usage: '[--json]',
  summary: 'List the receipts of erasures; with --json complete.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION },
  run: async (args, environment) => {
    args.positionals()
    const rows = await withStorage(args, environment, (deps) => listErasures(deps.db))
    const receipts = rows.map(({ receipt }) => JSON.parse(receipt) as ErasureReceipt)
    if (args.flag('json')) {
      environment.stdout.write(`${JSON.stringify(receipts, null, 2)}\n`)
      return
    }
    const lines = receipts.map(({ erasure_id, requested, requested_by, finished_at, total_calls }) => ({
      erasure_id,
      kind: requested.kind,
      requested_by,
      finished_at,
      calls: String(total_calls),
    }))
    printTable(lines, ['erasure_id', 'kind', 'requested_by', 'finished_at', 'calls'], args, environment)
  },
}
