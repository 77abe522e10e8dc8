import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findSecret } from '../app/setting.ts'
import type { Settings } from '../app/settings.ts'
import { type Client, createClient } from '../client/client.ts'
import { type RetryOptions, retryingClient } from '../client/retry.ts'
import { projectId } from '../contract/fields.ts'
import { type Arguments, UsageError, type Environment } from './command.ts'
import type { Progress } from './import/progress.ts'
import { findRecordedServer } from './running-server.ts'

/** Connections to a server's API, for the commands that use it (demo, export, gate, import). */

/** Long enough for a server restart or a rate limit. */
const RETRY_WINDOW_MS = 10 * 60_000

/** The variables of the API keys that commands use. Each may also be given as a file, by `<variable>_FILE`. */
export const KEY_VARIABLES = [
  'HEDDLE_DEMO_KEY',
  'HEDDLE_DOCTOR_KEY',
  'HEDDLE_EXPORT_KEY',
  'HEDDLE_GATE_KEY',
  'HEDDLE_IMPORT_FROM_KEY',
  'HEDDLE_IMPORT_TO_KEY',
  'HEDDLE_REMAP_KEY',
] as const

type KeyVariable = (typeof KEY_VARIABLES)[number]

/** The API key for a Heddle server; empty if the environment has none. */
export function heddleKey({ env }: Environment, variable: KeyVariable): string {
  const wandb = env['WANDB_API_KEY'] ?? ''
  return findSecret(env, variable) ?? (isHeddleKey(wandb) ? wandb : '')
}

export function retryWithProgress(progress: Progress): RetryOptions {
  return {
    windowMs: RETRY_WINDOW_MS,
    wait: (ms) => wait(ms),
    onRetry: (error) => progress.message(`retrying: ${error.message}`),
  }
}

export function missingOption(option: string): never {
  throw new UsageError(`missing option ${option}`)
}

export function projectOption(args: Arguments, option: string): string | undefined {
  const text = args.text(option)
  return text === undefined ? undefined : parseProjectId(text, `--${option}`)
}

export function parseProjectId(text: string, label: string): string {
  if (projectId.safeParse(text).success) return text
  throw new UsageError(`${label} must have the form entity/project, not "${text}"`)
}

export function parseServerUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError(`"${text}" is not a URL; use a form such as https://trace.wandb.ai`)
  return text.replace(/\/+$/, '')
}

/** WANDB_API_KEY may belong to W&B or to Heddle. The prefix tells, so a Heddle key is never sent to another server. */
export function isHeddleKey(key: string): boolean {
  return key.startsWith('hd_')
}

/** The API key that the server saved in this data directory at its first start. */
export async function readSavedKey(directory: string): Promise<string> {
  const text = await readFile(join(directory, 'credentials'), 'utf8').catch(() => '{}')
  const { key } = JSON.parse(text) as { key?: unknown }
  return typeof key === 'string' ? key : ''
}

/** The URL of the server: as given, or of the server on the data directory, or at the port of the settings. */
export async function findServerUrl(settings: Settings, url: string | undefined): Promise<string> {
  return parseServerUrl(url ?? (await findRecordedServer(settings)) ?? `http://127.0.0.1:${settings.port}`)
}

/**
 * Connects to the Heddle server at the URL, default the one on this machine. The key comes from the environment, because
 * every user of the machine can read command lines.
 */
export async function connectHeddle(
  environment: Environment,
  settings: Settings,
  url: string | undefined,
  variable: KeyVariable,
  retry: RetryOptions,
): Promise<Client> {
  const server = await findServerUrl(settings, url)
  const given = heddleKey(environment, variable)
  const key = given === '' && url === undefined ? await readSavedKey(settings.dataDirectory) : given
  if (key === '') throw new UsageError(`set ${variable} to an API key for ${server}`)
  const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`
  return retryingClient(createClient({ url: server, authorization }), retry)
}
