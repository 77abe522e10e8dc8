import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isResponding } from './ping.ts'

/**
 * The record of a running embedded ClickHouse in its data directory (`clickhouse.json`). The directory is locked, so a
 * command such as `heddle keys create` beside a running server connects to that server's ClickHouse. Only the owner may
 * read the file.
 */
export interface RunningClickHouse {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly pid: number
}

function recordFile(directory: string): string {
  return join(directory, 'clickhouse.json')
}

export async function recordRunning(directory: string, running: RunningClickHouse): Promise<void> {
  const { url, username, password, pid } = running
  const draft = `${recordFile(directory)}.${process.pid}`
  await writeFile(draft, `${JSON.stringify({ url, username, password, pid })}\n`, { mode: 0o600 })
  await rename(draft, recordFile(directory))
}

/** Keeps the record if it belongs to another process that has taken over the directory. */
export async function removeRunning(directory: string, pid: number): Promise<void> {
  if ((await readRecord(directory))?.pid === pid) await rm(recordFile(directory), { force: true })
}

/** Returns undefined if there is no record, or the recorded process does not respond. */
export async function findRunningClickHouse(directory: string): Promise<RunningClickHouse | undefined> {
  const recorded = await readRecord(directory)
  if (recorded === undefined) return undefined
  // Checks the password too: another program may use the port by now.
  const headers = { 'x-clickhouse-user': recorded.username, 'x-clickhouse-key': recorded.password }
  return (await isResponding(`${recorded.url}/?query=SELECT+1`, headers)) ? recorded : undefined
}

async function readRecord(directory: string): Promise<RunningClickHouse | undefined> {
  const text = await readFile(recordFile(directory), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : parse(text)
}

function parse(text: string): RunningClickHouse | undefined {
  try {
    const { url, username, password, pid } = JSON.parse(text) as Record<string, unknown>
    if (typeof url !== 'string' || typeof username !== 'string') return undefined
    if (typeof password !== 'string' || typeof pid !== 'number') return undefined
    return { url, username, password, pid }
  } catch {
    return undefined
  }
}
