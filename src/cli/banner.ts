import { resolve } from 'node:path'
import type { StartupCredentials } from '../app/first-start.ts'
import { isExternal, type Settings } from '../app/settings.ts'
import { cliCommand } from './cli-command.ts'

export interface BannerOptions {
  readonly version: string
  readonly url: string
  /** Undefined if OTLP/gRPC is not served. */
  readonly grpcUrl: string | undefined
  readonly credentials: StartupCredentials | undefined
  readonly settings: Settings
}

/** What `heddle serve` prints when it is ready: the sign-in link, and the environment of a program to trace. */
export function banner({ version, url, grpcUrl, credentials, settings }: BannerOptions): string {
  const command = cliCommand()
  const storage = isExternal(settings) ? '' : `--data ${shellQuoted(resolve(settings.dataDirectory))}`
  const grpc = grpcUrl === undefined ? '' : ` (OTLP/gRPC at ${grpcUrl})`
  const ready = `\nHeddle ${version} is ready at ${url}${grpc}\n`
  if (credentials === undefined) {
    const create = `${command} keys create ${storage}`.trimEnd()
    return `${ready}\n  Sign in with an API key, or create one: ${create}\n\n`
  }
  const { username, key, password, code } = credentials
  const lines = [
    ready,
    `Open ${url}/sign-in#code=${code}`,
    'This link signs you in once and expires after a day.',
    '',
    'Set these variables for the program to trace:',
    '',
    `  export WANDB_BASE_URL=${url}`,
    `  export WANDB_API_KEY=${key}`,
    `  export WANDB_ENTITY=${username}`,
    `  export WF_TRACE_SERVER_URL=${url}/traces   # for the TypeScript SDK`,
    '',
    'Try it:',
    '',
    `  curl -u "api:$WANDB_API_KEY" ${url}/calls/query_stats -d '{"project_id": "${username}/demo"}'`,
    '',
    ...(password === undefined
      ? []
      : [
          `The user "${username}" has the password ${password}`,
          `It is not shown again. Set a new one: ${command} users password ${username} ${storage}`,
        ]),
    `Create another API key: ${command} keys create ${storage}`,
    '',
  ]
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
