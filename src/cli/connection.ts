import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Settings } from '../app/settings.ts'
import { type Client, createClient } from '../client/client.ts'
import { type Patience, patientClient } from '../client/retrying-fetch.ts'
import { projectId } from '../contract/fields.ts'
import { type Arguments, UsageError, type World } from './command.ts'
import type { Progress } from './import/progress.ts'

/** How commands that work over the API find a server, and what they say to it. */

/** Long enough for a server to be restarted or a rate limit to pass. */
const PATIENCE_MS = 10 * 60_000

export function patienceWith(progress: Progress): Patience {
  return {
    limitMs: PATIENCE_MS,
    wait: (ms) => wait(ms),
    onTrouble: (problem) => progress.note(`waiting: ${problem.message}`),
  }
}

export function missing(option: string): never {
  throw new UsageError(`${option} is missing`)
}

export function projectOption(args: Arguments, option: string): string | undefined {
  const text = args.text(option)
  return text === undefined ? undefined : projectNamed(text, `--${option}`)
}

export function projectNamed(text: string, where: string): string {
  if (projectId.safeParse(text).success) return text
  throw new UsageError(`${where} must have the form entity/project, not "${text}"`)
}

export function serverUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError(`"${text}" is no URL such as https://trace.wandb.ai`)
  return text.replace(/\/+$/, '')
}

/** WANDB_API_KEY may be that of either side; ours can be told apart, and are never sent to another server unasked. */
export function isHeddleKey(key: string): boolean {
  return key.startsWith('hd_')
}

/** For the server of this data directory the key that it keeps there is enough. */
export async function keptKey(directory: string): Promise<string> {
  const text = await readFile(join(directory, 'credentials'), 'utf8').catch(() => '{}')
  const { key } = JSON.parse(text) as { key?: unknown }
  return typeof key === 'string' ? key : ''
}

/**
 * A Heddle, for what only a Heddle has: at the URL, or the one of this machine. The key comes from the environment:
 * what stands on a command line, every user of the machine can read.
 */
export async function connectHeddle(
  { env }: World,
  settings: Settings,
  url: string | undefined,
  variable: string,
  patience: Patience,
): Promise<Client> {
  const server = serverUrl(url ?? `http://127.0.0.1:${settings.port}`)
  const wandb = env['WANDB_API_KEY'] ?? ''
  const given = env[variable] ?? (isHeddleKey(wandb) ? wandb : '')
  const key = given === '' && url === undefined ? await keptKey(settings.dataDirectory) : given
  if (key === '') throw new UsageError(`set ${variable} to an API key for ${server}`)
  const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`
  return patientClient(createClient({ url: server, authorization }), patience)
}
