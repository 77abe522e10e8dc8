import { mkdirSync } from 'node:fs'
import { readSettings } from '../app/settings.ts'
import { EXPORT_FORMATS, EXPORTED, type Exported } from '../contract/export/export.ts'
import { type Arguments, type Command, JSON_OPTION, UsageError, type World } from './command.ts'
import { connectHeddle, missing, patienceWith, projectNamed } from './connection.ts'
import { type ExportHead, Manifest } from './export/manifest.ts'
import { takeAll } from './export/pieces.ts'
import { createProgress } from './import/progress.ts'

/** A file that breaks off is begun again; each takes a third of a second more than its rows. */
export const ROWS_PER_FILE = 250_000

/** `heddle export`: a project, or a part of it, as files in a directory. */
export const exportCommand: Command = {
  usage: `ENTITY/PROJECT --out DIR [--what ${EXPORTED.join(',')}] [--format ${EXPORT_FORMATS.join('|')}] [--filter JSON] [--query JSON] [--columns a,b] [--rows N] [--resume] [--from URL] [--data DIR] [--json]`,
  summary:
    'Write calls, feedback, objects, tables and files of a project into a directory. Key: HEDDLE_EXPORT_KEY. With --resume it goes on where it ended.',
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
  run: async (args, world) => {
    const [named = ''] = args.words('ENTITY/PROJECT')
    const settings = readSettings(world.env, args.storage())
    const head = headOf(args, projectNamed(named, 'the project'))
    const rowsPerFile = args.integer('rows') ?? ROWS_PER_FILE
    if (rowsPerFile === 0) throw new UsageError('--rows must be above 0')
    const directory = args.text('out') ?? missing('--out DIR')
    const progress = createProgress(world, args.flag('json'), () => performance.now())
    const patience = patienceWith(progress)
    const client = await connectHeddle(world, settings, args.text('from'), 'HEDDLE_EXPORT_KEY', patience)
    const manifest = manifestIn(directory, head, args.flag('resume'))
    try {
      for (const what of head.what)
        await takeAll({ client, directory, manifest, rowsPerFile, patience, progress }, what)
    } finally {
      progress.end()
    }
    printOutcome(manifest, directory, args, world)
  },
}

function headOf(args: Arguments, project_id: string): ExportHead {
  const what = args.text('what')?.split(',') ?? [...EXPORTED]
  const unknown = what.find((each) => !(EXPORTED as readonly string[]).includes(each))
  if (unknown !== undefined)
    throw new UsageError(`--what must be of ${EXPORTED.join(', ')}, not "${unknown}"`)
  const narrowed = ['filter', 'query', 'columns'].find((option) => args.text(option) !== undefined)
  if (narrowed !== undefined && what.length > 1)
    throw new UsageError(`--${narrowed} means something for one noun only; say which with --what`)
  return {
    project_id,
    format: args.oneOf('format', EXPORT_FORMATS) ?? 'jsonl',
    what: what as Exported[],
    filter: args.text('filter') ?? null,
    query: args.text('query') ?? null,
    columns: args.text('columns')?.split(',') ?? null,
  }
}

function manifestIn(directory: string, head: ExportHead, isResumed: boolean): Manifest {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const known = Manifest.read(directory)
  if (known === undefined) return Manifest.begin(directory, head)
  if (!isResumed)
    throw new Error(`there is an export in ${directory}; go on with --resume, or name another directory`)
  if (!known.isAbout(head))
    throw new Error(
      `the export in ${directory} is another one; say the same as then, or name another directory`,
    )
  return known
}

function printOutcome(manifest: Manifest, directory: string, args: Arguments, world: World): void {
  const { project_id, what } = manifest.head
  const counts = what.map((each) => {
    const pieces = manifest.of(each)
    return {
      what: each,
      rows: pieces.reduce((sum, piece) => sum + piece.rows, 0),
      bytes: pieces.reduce((sum, piece) => sum + piece.bytes, 0),
      files: pieces.length,
    }
  })
  if (args.flag('json')) {
    world.stdout.write(`${JSON.stringify({ project_id, directory, exported: counts })}\n`)
    return
  }
  const lines = counts.map(
    ({ what: each, rows, bytes, files }) =>
      `  ${each.padEnd(9)} ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB in ${files} file${files === 1 ? '' : 's'}`,
  )
  world.stdout.write(`${project_id} -> ${directory}\n${lines.join('\n')}\n`)
}
