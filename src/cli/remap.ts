import { readSettings } from '../app/settings.ts'
import { splitProjectId } from '../core/access/roles.ts'
import { type Command, JSON_OPTION } from './command.ts'
import { connectHeddle, parseProjectId, retryWithProgress } from './connection.ts'
import { createProgress } from './import/progress.ts'

/** `heddle remap`: maps the stored spans of a project to calls again. */
export const remapCommand: Command = {
  usage: 'ENTITY/PROJECT [--to URL] [--data DIR] [--json]',
  summary:
    'Map stored OpenTelemetry spans to calls again, after an update of the mapping. Needs a running server. API key: HEDDLE_REMAP_KEY.',
  options: { ...JSON_OPTION, to: { type: 'string' }, data: { type: 'string' } },
  run: async (args, environment) => {
    const [name = ''] = args.positionals('ENTITY/PROJECT')
    const project_id = parseProjectId(name, 'the project')
    const settings = readSettings(environment.env, args.storage())
    const progress = createProgress(environment, args.flag('json'), () => performance.now())
    const retry = retryWithProgress(progress)
    const client = await connectHeddle(environment, settings, args.text('to'), 'HEDDLE_REMAP_KEY', retry)
    let checked = 0
    let changed = 0
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await client.call('calls_remap', { ...splitProjectId(project_id), cursor })
      checked += page.checked
      changed += page.changed
      cursor = page.cursor
    }
    environment.stdout.write(
      args.flag('json')
        ? `${JSON.stringify({ project_id, checked, changed }, null, 2)}\n`
        : `${project_id}: ${changed} of ${checked} calls from OpenTelemetry changed\n`,
    )
  },
}
