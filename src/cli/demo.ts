import { isExternal, readSettings, type Settings } from '../app/settings.ts'
import { splitProjectId } from '../core/access/roles.ts'
import { type Arguments, type Command, JSON_OPTION } from './command.ts'
import { connectHeddle, findServerUrl, retryWithProgress, projectOption } from './connection.ts'
import { createProgress } from './import/progress.ts'
import { isReachable } from './running-server.ts'

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
    const progress = createProgress(environment, args.flag('json'), () => performance.now())
    const retry = { ...retryWithProgress(progress), windowMs: RETRY_WINDOW_MS }
    const client = await connectHeddle(environment, settings, args.text('to'), 'HEDDLE_DEMO_KEY', retry)
    const server = await findServerUrl(settings, args.text('to'))
    if (!(await isReachable(server))) throw new Error(unreachableText(args, settings, server))
    const project_id =
      projectOption(args, 'project') ?? `${(await client.call('session_read', {})).username}/demo`
    const created = await client.call('project_demo', splitProjectId(project_id))
    const url = `${server}/${project_id}/weave`
    if (args.flag('json')) {
      environment.stdout.write(`${JSON.stringify({ project_id, url, ...created }, null, 2)}\n`)
      return
    }
    const counts = `${created.calls} calls, ${created.objects} objects, ${created.feedback} feedback records`
    environment.stdout.write(
      created.is_new
        ? `added example data to ${project_id}: ${counts}\n`
        : `${project_id} already has the example data: ${counts}\n`,
    )
    environment.stdout.write(`Open ${url}\n`)
  },
}

/** A person waits for this command. Long enough for a server that starts. */
const RETRY_WINDOW_MS = 10_000

function unreachableText(args: Arguments, settings: Settings, server: string): string {
  if (args.text('to') !== undefined) return `no server responds at ${server}; check the URL and the network`
  if (isExternal(settings))
    return `no server responds at ${server}; start one with \`heddle serve\`, or give its URL with --to`
  const { dataDirectory } = settings
  return `no server is running on the data directory ${dataDirectory} (tried ${server}); start one with \`heddle serve --data ${dataDirectory}\`, or give the URL of another with --to`
}
