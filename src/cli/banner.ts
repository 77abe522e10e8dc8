import { resolve } from 'node:path'
import type { StartupCredentials } from '../app/first-start.ts'
import type { Settings } from '../app/settings.ts'

export interface BannerOptions {
  readonly version: string
  readonly url: string
  readonly credentials: StartupCredentials | undefined
  readonly settings: Settings
}

/** What `heddle serve` prints when it is ready: the lines to paste into the shell of the program to be traced. */
export function banner({ version, url, credentials, settings }: BannerOptions): string {
  const where =
    settings.clickhouseUrl === undefined ? `--data ${quoted(resolve(settings.dataDirectory))}` : ''
  const ready = `\nHeddle ${version} is ready at ${url}\n`
  if (credentials === undefined) {
    return `${ready}\n  Sign in with a key of yours, or make one: heddle keys create ${where}\n\n`
  }
  const { username, key, password, code } = credentials
  const lines = [
    ready,
    `Open ${url}/sign-in#code=${code}`,
    'The link signs you in once, within a day.',
    '',
    'Paste this into the shell of your program:',
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
          `It is not shown again; a new one: heddle users password ${username} ${where}`,
        ]),
    `More keys: heddle keys create ${where}`,
    '',
  ]
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

/** For a shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
