import { readSettings } from '../app/settings.ts'
import { splitProjectId } from '../core/access/roles.ts'
import { type Command, JSON_OPTION } from './command.ts'
import { connectHeddle, patienceWith, projectOption } from './connection.ts'
import { createProgress } from './import/progress.ts'

/** `heddle demo`: example data in a project, to look around in. */
export const demoCommand: Command = {
  usage: '[--project ENTITY/PROJECT] [--to URL] [--data DIR] [--json]',
  summary:
    'Fill a project (default: demo of yours) with example data. The server must be running. Key: HEDDLE_DEMO_KEY.',
  options: {
    ...JSON_OPTION,
    project: { type: 'string' },
    to: { type: 'string' },
    data: { type: 'string' },
  },
  run: async (args, world) => {
    args.words()
    const settings = readSettings(world.env, args.storage())
    const patience = patienceWith(createProgress(world, args.flag('json'), () => performance.now()))
    const client = await connectHeddle(world, settings, args.text('to'), 'HEDDLE_DEMO_KEY', patience)
    const project_id =
      projectOption(args, 'project') ?? `${(await client.call('session_read', {})).username}/demo`
    const made = await client.call('project_demo', splitProjectId(project_id))
    if (args.flag('json')) {
      world.stdout.write(`${JSON.stringify({ project_id, ...made }, null, 2)}\n`)
      return
    }
    const what = `${made.calls} calls, ${made.objects} objects and ${made.feedback} pieces of feedback`
    world.stdout.write(
      made.is_new ? `${project_id} has ${what} now\n` : `${project_id} has the demo already: ${what}\n`,
    )
  },
}
