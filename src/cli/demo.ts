import { readSettings } from '../app/settings.ts'
import { splitProjectId } from '../core/access/roles.ts'
import { type Command, JSON_OPTION } from './command.ts'
import { connectHeddle, retryWithProgress, projectOption } from './connection.ts'
import { createProgress } from './import/progress.ts'

/** `heddle demo`: fills a project with example data. */
export const demoCommand: Command = {
  usage: '[--project ENTITY/PROJECT] [--to URL] [--data DIR] [--json]',
  summary:
    'Fill a project with example data (default: your project "demo"). Needs a running server. API key: HEDDLE_DEMO_KEY.',
  options: {
    ...JSON_OPTION,
    project: { type: 'string' },
    to: { type: 'string' },
    data: { type: 'string' },
  },
  run: async (args, environment) => {
    args.positionals()
    const settings = readSettings(environment.env, args.storage())
    const retry = retryWithProgress(createProgress(environment, args.flag('json'), () => performance.now()))
    const client = await connectHeddle(environment, settings, args.text('to'), 'HEDDLE_DEMO_KEY', retry)
    const project_id =
      projectOption(args, 'project') ?? `${(await client.call('session_read', {})).username}/demo`
    const created = await client.call('project_demo', splitProjectId(project_id))
    if (args.flag('json')) {
      environment.stdout.write(`${JSON.stringify({ project_id, ...created }, null, 2)}\n`)
      return
    }
    const counts = `${created.calls} calls, ${created.objects} objects, ${created.feedback} feedback records`
    environment.stdout.write(
      created.is_new
        ? `added example data to ${project_id}: ${counts}\n`
        : `${project_id} already has the example data: ${counts}\n`,
    )
  },
}
