import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Settings } from './settings.ts'

/**
 * The directory for temporary files: that of the system or, where that is not writable, as in a container with a
 * read-only root file system, the one of embedded ClickHouse in the data directory.
 */
export async function temporaryDirectory({
  dataDirectory,
}: Pick<Settings, 'dataDirectory'>): Promise<string> {
  const system = tmpdir()
  for (const directory of [system, join(resolve(dataDirectory), 'tmp')])
    if (await isWritable(directory)) return directory
  throw new Error(`${system} is not writable: mount a tmpfs there, or set TMPDIR to a writable directory`)
}

async function isWritable(directory: string): Promise<boolean> {
  try {
    await access(directory, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
