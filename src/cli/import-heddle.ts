import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { readSettings } from '../app/settings.ts'
import { type Command, JSON_OPTION } from './command.ts'
import { connectHeddle, patienceWith } from './connection.ts'
import { ExportFiles } from './import/export-files.ts'
import { Journal } from './import/journal.ts'
import { loadProject } from './import/load.ts'
import { printOutcome } from './import/outcome.ts'
import { createProgress } from './import/progress.ts'
import { Report } from './import/report.ts'

/** `heddle import heddle`: what `heddle export` wrote, into the project of the same name at another server. */
export const importHeddleCommand: Command = {
  usage: 'DIR [--to URL] [--state FILE] [--data DIR] [--json]',
  summary:
    'Bring the files of `heddle export` (jsonl or parquet) into the project of the same name. Key: HEDDLE_IMPORT_TO_KEY. Run it again to go on.',
  options: {
    ...JSON_OPTION,
    to: { type: 'string' },
    state: { type: 'string' },
    data: { type: 'string' },
  },
  run: async (args, world) => {
    const [directory = ''] = args.words('DIR')
    const settings = readSettings(world.env, args.storage())
    const progress = createProgress(world, args.flag('json'), () => performance.now())
    const url = args.text('to')
    const files = ExportFiles.open(directory)
    const to = await connectHeddle(world, settings, url, 'HEDDLE_IMPORT_TO_KEY', patienceWith(progress))
    const { project_id } = files.manifest.head
    const head = {
      from: resolve(directory),
      to: url ?? `http://127.0.0.1:${settings.port}`,
      project_id,
      to_project_id: project_id,
    }
    const name = createHash('sha256').update(JSON.stringify(head)).digest('hex').slice(0, 16)
    await files.check()
    const state = args.text('state') ?? join(settings.dataDirectory, 'import', `${name}.jsonl`)
    const journal = Journal.open(state, head)
    const report = new Report()
    try {
      await loadProject({ files, to, to_project_id: project_id, journal, report, progress })
    } finally {
      progress.end()
      journal.close()
      await files.close()
    }
    printOutcome(head, report, args, world)
    if (!report.isWhole) throw new Error('not everything is here; run it again to try the rest')
  },
}
