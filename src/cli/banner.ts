import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ADMIN, credentialsFile, type StartupCredentials } from '../app/first-start.ts'
import { isExternal, type Settings } from '../app/settings.ts'
import { cliCommand } from './cli-command.ts'

export interface BannerOptions {
  readonly version: string
  readonly url: string
  /** Undefined if OTLP/gRPC is not served. */
  readonly grpcUrl: string | undefined
  /** Of the first start. */
  readonly credentials: StartupCredentials | undefined
  readonly settings: Settings
  /** Logs of supervisors are kept, copied and read by others: secrets are printed to a terminal only. */
  readonly isTerminal: boolean
}

/**
 * What `heddle serve` prints when it is ready: at the first start the sign-in link and the environment of a program to
 * trace, later where to find them.
 */
export function banner({ version, url, grpcUrl, credentials, settings, isTerminal }: BannerOptions): string {
  const grpc = grpcUrl === undefined ? '' : ` (OTLP/gRPC at ${grpcUrl})`
  const ready = `\nHeddle ${version} is ready at ${url}${grpc}\n`
  const commands = commandsFor(settings)
  const lines =
    credentials === undefined || !isTerminal
      ? whereToFind(settings, commands, credentials !== undefined)
      : firstStartLines(url, credentials, commands)
  return `${[ready, ...lines].map((line) => line.trimEnd()).join('\n')}\n\n`
}

type Commands = Readonly<Record<'link' | 'key' | 'password', string>>

function commandsFor(settings: Settings): Commands {
  const command = cliCommand()
  const storage = isExternal(settings) ? '' : ` --data ${shellQuoted(resolve(settings.dataDirectory))}`
  return {
    link: `${command} users link ${ADMIN}${storage}`,
    key: `${command} keys create${storage}`,
    password: `${command} users password ${ADMIN}${storage}`,
  }
}

function whereToFind(settings: Settings, commands: Commands, isFirstStart: boolean): string[] {
  const file = credentialsFile(settings)
  return [
    ...(file !== undefined && existsSync(file) ? [`API key:       in ${resolve(file)}`] : []),
    `Sign in:       ${commands.link}`,
    // Nobody knows the generated one.
    ...(isFirstStart ? [`Set password:  ${commands.password}`] : []),
    `New API key:   ${commands.key}`,
  ]
}

function firstStartLines(
  url: string,
  { username, key, password, code }: StartupCredentials,
  commands: Commands,
): string[] {
  return [
    `Open ${signInLink(url, code)}`,
    `This link signs you in once and expires after a day. A new one: ${commands.link}`,
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
          `It is not shown again. Set a new one: ${commands.password}`,
        ]),
    `Create another API key: ${commands.key}`,
  ]
}

/** Browsers do not send the fragment to the server or to proxies. */
export function signInLink(url: string, code: string): string {
  return `${url}/sign-in#code=${code}`
}

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
