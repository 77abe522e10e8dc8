import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { BackupDestination } from '../../store/backup/backup-statements.ts'
import type { BackupTarget, BackupView } from '../../service/backup/backup-target.ts'
import { createDirectoryView } from './directory-view.ts'

const MAX_CHUNK_BYTES = 1 << 20

/** Backups in a directory of this machine, which ClickHouse sees under the same path, or as one of its disks. */
export class DirectoryTarget implements BackupTarget {
  readonly name: string
  readonly #directory: string
  readonly #disk: string | undefined
  readonly #scratch: string | undefined

  /** `scratch`: a directory for temporary files that ClickHouse sees under the same path, if there is one. */
  constructor(directory: string, disk: string | undefined, scratch: string | undefined) {
    this.#directory = resolve(directory)
    this.name = this.#directory
    this.#disk = disk
    this.#scratch = scratch
  }

  destination(id: string): BackupDestination {
    return this.#disk === undefined
      ? { type: 'file', path: join(this.#directory, id) }
      : { type: 'disk', disk: this.#disk, path: id }
  }

  async list(): Promise<string[]> {
    return (await ifExists(readdir(this.#directory))) ?? []
  }

  async listFiles(id: string): Promise<{ path: string; size: number }[]> {
    const root = this.#path(id)
    const entries = (await ifExists(readdir(root, { recursive: true, withFileTypes: true }))) ?? []
    const files: { path: string; size: number }[] = []
    for (const entry of entries) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      files.push({ path: relative(root, path).split(sep).join('/'), size: (await stat(path)).size })
    }
    return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  }

  readText(path: string): Promise<string | undefined> {
    return ifExists(readFile(this.#path(path), 'utf8'))
  }

  async writeText(path: string, text: string): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const file = this.#path(path)
    const draft = `${file}.${process.pid}`
    const handle = await open(draft, 'w', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
    await syncDirectory(this.#directory)
  }

  async hash(path: string, age: 'new' | 'stored'): Promise<{ sha256: string; size: number } | undefined> {
    const handle = await ifExists(open(this.#path(path), 'r'))
    if (handle === undefined) return undefined
    try {
      const hash = createHash('sha256')
      // Most files of a backup are tiny, and a stream costs more than they do.
      const chunk = Buffer.allocUnsafe(Math.min(Math.max((await handle.stat()).size, 1), MAX_CHUNK_BYTES))
      let size = 0
      for (;;) {
        const { bytesRead } = await handle.read(chunk)
        if (bytesRead === 0) break
        hash.update(chunk.subarray(0, bytesRead))
        size += bytesRead
      }
      if (age === 'new') await handle.sync()
      return { sha256: hash.digest('hex'), size }
    } finally {
      await handle.close()
    }
  }

  createView(): Promise<BackupView> {
    return createDirectoryView({ directory: this.#directory, disk: this.#disk, scratch: this.#scratch })
  }

  async remove(path: string): Promise<void> {
    await rm(this.#path(path), { force: true })
  }

  async removeAll(id: string): Promise<void> {
    await rm(this.#path(id), { recursive: true, force: true })
  }

  #path(path: string): string {
    return join(this.#directory, ...path.split('/'))
  }
}

/** So that a renamed file survives power loss. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function ifExists<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code))) return undefined
    throw error
  }
}
