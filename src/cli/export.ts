import { mkdirSync } from 'node:fs'
import { readSettings } from '../app/settings.ts'
import { EXPORT_FORMATS, EXPORT_KINDS, type ExportKind } from '../contract/export/export.ts'
import { unknownProject } from '../core/text/unknown-project.ts'
import { type Arguments, type Command, JSON_OPTION, UsageError, type Environment } from './command.ts'
import { connectHeddle, missingOption, retryWithProgress, parseProjectId } from './connection.ts'
import { type ExportHead, Manifest } from './export/manifest.ts'
import { exportRecords } from './export/export-job.ts'
import { createProgress } from './import/progress.ts'

/** An interrupted file is exported again from its start. Each file costs a third of a second besides its rows. */
export const ROWS_PER_FILE = 250_000

/** `heddle export`: writes a project, or a part of it, to files in a directory. */
export const exportCommand: Command = {
  usage: `ENTITY/PROJECT --out DIR [--what ${EXPORT_KINDS.join(',')}] [--format ${EXPORT_FORMATS.join('|')}] [--filter JSON] [--query JSON] [--columns a,b] [--rows N] [--resume] [--from URL] [--data DIR] [--json]`,
  summary:
    'Export calls, feedback, objects, tables and files of a project to a directory. API key: HEDDLE_EXPORT_KEY. --resume continues an interrupted export.',
  options: {
    ...JSON_OPTION,
    out: { type: 'string' },
    what: { type: 'string' },
    format: { type: 'string' },
    filter: { type: 'string' },
    query: { type: 'string' },
    columns: { type: 'string' },
    rows: { type: 'string' },
    resume: { type: 'boolean' },
    from: { type: 'string' },
    data: { type: 'string' },
  },
  run: async (args, environment) => {
    const [project = ''] = args.positionals('ENTITY/PROJECT')
    const settings = readSettings(environment.env, args.storage())
    const head = readExportHead(args, parseProjectId(project, 'the project'))
    const rowsPerFile = args.integer('rows') ?? ROWS_PER_FILE
    if (rowsPerFile === 0) throw new UsageError('--rows must be above 0')
    const directory = args.text('out') ?? missingOption('--out DIR')
    const progress = createProgress(environment, args.flag('json'), () => performance.now())
    const retry = retryWithProgress(progress)
    const client = await connectHeddle(environment, settings, args.text('from'), 'HEDDLE_EXPORT_KEY', retry)
    const { projects } = await client.call('projects_list', {})
    const known = projects.map(({ project_id }) => project_id)
    if (!known.includes(head.project_id)) throw new Error(unknownProject(head.project_id, known))
    const manifest = openManifest(directory, head, args.flag('resume'))
    try {
      for (const what of head.what)
        await exportRecords({ client, directory, manifest, rowsPerFile, retry, progress }, what)
    } finally {
      progress.end()
    }
    printSummary(manifest, directory, args, environment)
  },
}

function readExportHead(args: Arguments, project_id: string): ExportHead {
  const what = args.text('what')?.split(',') ?? [...EXPORT_KINDS]
  const unknown = what.find((each) => !(EXPORT_KINDS as readonly string[]).includes(each))
  if (unknown !== undefined)
    throw new UsageError(`--what must be one of ${EXPORT_KINDS.join(', ')}, not "${unknown}"`)
  const narrowed = ['filter', 'query', 'columns'].find((option) => args.text(option) !== undefined)
  if (narrowed !== undefined && what.length > 1)
    throw new UsageError(`--${narrowed} needs --what with a single record type`)
  return {
    project_id,
    format: args.oneOf('format', EXPORT_FORMATS) ?? 'jsonl',
    what: what as ExportKind[],
    filter: args.text('filter') ?? null,
    query: args.text('query') ?? null,
    columns: args.text('columns')?.split(',') ?? null,
  }
}

function openManifest(directory: string, head: ExportHead, isResumed: boolean): Manifest {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const known = Manifest.read(directory)
  if (known === undefined) return Manifest.create(directory, head)
  if (!isResumed)
    throw new Error(`${directory} contains an export; continue it with --resume, or use another directory`)
  if (!known.matches(head))
    throw new Error(
      `${directory} contains an export with other options; use the same options, or another directory`,
    )
  return known
}

function printSummary(
  manifest: Manifest,
  directory: string,
  args: Arguments,
  environment: Environment,
): void {
  const { project_id, what } = manifest.head
  const counts = what.map((each) => {
    const files = manifest.filesOf(each)
    return {
      what: each,
      rows: files.reduce((sum, file) => sum + file.rows, 0),
      bytes: files.reduce((sum, file) => sum + file.bytes, 0),
      files: files.length,
    }
  })
  if (args.flag('json')) {
    environment.stdout.write(`${JSON.stringify({ project_id, directory, exported: counts })}\n`)
    return
  }
  const lines = counts.map(
    ({ what: each, rows, bytes, files }) =>
      `  ${each.padEnd(9)} ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB in ${files} file${files === 1 ? '' : 's'}`,
  )
  environment.stdout.write(`${project_id} -> ${directory}\n${lines.join('\n')}\n`)
}
