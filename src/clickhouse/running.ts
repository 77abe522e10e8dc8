import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAnswering } from './ping.ts'

/**
 * How another process of the same person finds a running engine: its data directory is locked, so `heddle keys
 * create` beside a running server has to speak to that server's engine. Only the owner may read the file.
 */
export interface RunningEngine {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly pid: number
}

function fileIn(directory: string): string {
  return join(directory, 'engine.json')
}

export async function noteRunning(directory: string, engine: RunningEngine): Promise<void> {
  const { url, username, password, pid } = engine
  const draft = `${fileIn(directory)}.${process.pid}`
  await writeFile(draft, `${JSON.stringify({ url, username, password, pid })}\n`, { mode: 0o600 })
  await rename(draft, fileIn(directory))
}

/** Not if another engine has the directory: then the note is about that one. */
export async function forgetRunning(directory: string, pid: number): Promise<void> {
  if ((await readNote(directory))?.pid === pid) await rm(fileIn(directory), { force: true })
}

/** Undefined if none is noted, or the one that is noted does not answer any more. */
export async function findRunning(directory: string): Promise<RunningEngine | undefined> {
  const noted = await readNote(directory)
  if (noted === undefined) return undefined
  // With the password: by now the port may belong to something else.
  const headers = { 'x-clickhouse-user': noted.username, 'x-clickhouse-key': noted.password }
  return (await isAnswering(`${noted.url}/?query=SELECT+1`, headers)) ? noted : undefined
}

async function readNote(directory: string): Promise<RunningEngine | undefined> {
  const text = await readFile(fileIn(directory), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : parse(text)
}

function parse(text: string): RunningEngine | undefined {
  try {
    const { url, username, password, pid } = JSON.parse(text) as Record<string, unknown>
    if (typeof url !== 'string' || typeof username !== 'string') return undefined
    if (typeof password !== 'string' || typeof pid !== 'number') return undefined
    return { url, username, password, pid }
  } catch {
    return undefined
  }
}
