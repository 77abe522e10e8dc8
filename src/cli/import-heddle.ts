import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { readSettings } from '../app/settings.ts'
import { type Command, JSON_OPTION } from './command.ts'
import { connectHeddle, retryWithProgress } from './connection.ts'
import { ExportFiles } from './import/export-files.ts'
import { Journal } from './import/journal.ts'
import { loadProject } from './import/load.ts'
import { printReport } from './import/print-report.ts'
import { createProgress } from './import/progress.ts'
import { Report } from './import/report.ts'
import { stateFile } from './import/state-file.ts'

/** `heddle import heddle`: imports the files of `heddle export` into the project of the same name. */
export const importHeddleCommand: Command = {
  usage: 'DIR [--to URL] [--state FILE] [--data DIR] [--json]',
  summary:
    'Import the files of `heddle export` (jsonl or parquet) into the project of the same name. API key: HEDDLE_IMPORT_TO_KEY. Run it again to continue.',
  options: {
    ...JSON_OPTION,
    to: { type: 'string' },
    state: { type: 'string' },
    data: { type: 'string' },
  },
  run: async (args, environment) => {
    const [directory = ''] = args.positionals('DIR')
    const settings = readSettings(environment.env, args.storage())
    const progress = createProgress(environment, args.flag('json'), () => performance.now())
    const url = args.text('to')
    const files = ExportFiles.open(directory)
    const to = await connectHeddle(
      environment,
      settings,
      url,
      'HEDDLE_IMPORT_TO_KEY',
      retryWithProgress(progress),
    )
    const { project_id } = files.manifest.head
    const head = {
      from: resolve(directory),
      to: url ?? `http://127.0.0.1:${settings.port}`,
      project_id,
      to_project_id: project_id,
    }
    const name = createHash('sha256').update(JSON.stringify(head)).digest('hex').slice(0, 16)
    await files.check()
    const journal = Journal.open(await stateFile(args, settings, `${name}.jsonl`), head)
    const report = new Report()
    try {
      await loadProject({ files, to, to_project_id: project_id, journal, report, progress })
    } finally {
      progress.end()
      journal.close()
      await files.close()
    }
    printReport(head, report, args, environment)
    if (!report.isComplete) throw new Error('the import is incomplete; run it again to retry the rest')
  },
}
