import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isExternal, type Settings } from '../app/settings.ts'

/**
 * The record of a running server in its data directory (`server.json`), so that commands with `--data` find its port.
 * Servers with an external ClickHouse have no data directory, and no record.
 */
interface RunningServer {
  readonly url: string
  readonly pid: number
}

function recordFile({ dataDirectory }: Settings): string {
  return join(dataDirectory, 'server.json')
}

export async function recordServer(settings: Settings, url: string): Promise<void> {
  if (isExternal(settings)) return
  const file = recordFile(settings)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: 0o600 })
  await rename(draft, file)
}

/** Keeps the record of another process that has taken over the directory. */
export async function removeServer(settings: Settings): Promise<void> {
  if ((await readRecord(settings))?.pid === process.pid) await rm(recordFile(settings), { force: true })
}

/** The URL of the server on this data directory; undefined if none was recorded. It may have been killed since. */
export async function findRecordedServer(settings: Settings): Promise<string | undefined> {
  return (await readRecord(settings))?.url
}

async function readRecord(settings: Settings): Promise<RunningServer | undefined> {
  if (isExternal(settings)) return undefined
  const text = await readFile(recordFile(settings), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const { url, pid } = JSON.parse(text) as Record<string, unknown>
    return typeof url === 'string' && typeof pid === 'number' ? { url, pid } : undefined
  } catch {
    return undefined
  }
}

const REACH_TIMEOUT_MS = 3000

/** Whether a Heddle server responds at this URL. */
export async function isReachable(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(REACH_TIMEOUT_MS) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
