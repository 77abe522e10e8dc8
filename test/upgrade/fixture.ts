import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Request } from './api.ts'

/**
 * The database of a release with a fixed set of records, written by the code of that release: the rows of every table in
 * ClickHouse's Native format, its data directory, and what its reads returned. scripts/upgrade-fixture.ts creates them.
 */
export interface Fixture {
  /** The name of the directory. */
  readonly name: string
  readonly manifest: Manifest
  readonly reads: readonly Read[]
  readonly tables: readonly TableRows[]
  /** A compressed tar file of the data directory. Few fixtures have one: it is larger, and the same in all releases with one ClickHouse. */
  readonly dataDirectory: string | undefined
}

interface Manifest {
  /** The release. */
  readonly version: string
  readonly clickhouse_version: string
  /** The migrations that were applied. */
  readonly migrations: readonly AppliedMigration[]
}

export interface AppliedMigration {
  readonly version: number
  readonly name: string
  readonly checksum: string
}

export interface Read extends Request {
  readonly status: number
  readonly response: string
}

export interface TableRows {
  readonly table: string
  /** In the Native format. */
  readonly rows: Buffer
}

const DIRECTORY = fileURLToPath(new URL('fixtures/', import.meta.url))

export function fixtures(): Fixture[] {
  return readdirSync(DIRECTORY)
    .sort()
    .map((name) => {
      const file = (suffix: string): string => join(DIRECTORY, name, suffix)
      const lines = readFileSync(file('reads.jsonl'), 'utf8').trimEnd().split('\n')
      return {
        name,
        manifest: JSON.parse(readFileSync(file('manifest.json'), 'utf8')) as Manifest,
        reads: lines.map((line) => JSON.parse(line) as Read),
        tables: unpack(gunzipSync(readFileSync(file('tables.gz')))),
        dataDirectory: existsSync(file('data-directory.tar.gz')) ? file('data-directory.tar.gz') : undefined,
      }
    })
}

export async function saveFixture(
  directory: string,
  { manifest, reads, tables }: Pick<Fixture, 'manifest' | 'reads' | 'tables'>,
): Promise<void> {
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await writeFile(join(directory, 'reads.jsonl'), reads.map((read) => `${JSON.stringify(read)}\n`).join(''))
  await writeFile(join(directory, 'tables.gz'), gzipSync(pack(tables), { level: 9 }))
}

/** Each table is a line with its name and number of bytes, then the bytes. */
function pack(tables: readonly TableRows[]): Buffer {
  return Buffer.concat(tables.flatMap(({ table, rows }) => [Buffer.from(`${table} ${rows.length}\n`), rows]))
}

function unpack(bytes: Buffer): TableRows[] {
  const tables: TableRows[] = []
  let at = 0
  while (at < bytes.length) {
    const lineEnd = bytes.indexOf('\n', at)
    const [table = '', length = ''] = bytes.toString('utf8', at, lineEnd).split(' ')
    at = lineEnd + 1 + Number(length)
    tables.push({ table, rows: bytes.subarray(lineEnd + 1, at) })
  }
  return tables
}
