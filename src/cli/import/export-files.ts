import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExportKind } from '../../contract/export/export.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { entries } from '../../core/json/navigate.ts'
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from '../../clickhouse/embedded-clickhouse.ts'
import { Database } from '../../store/database/database.ts'
import { EXPORT_COLUMNS } from '../../store/export/columns.ts'
import { readParquetFile } from '../../store/export/parquet-file.ts'
import { Manifest, type ExportFile } from '../export/manifest.ts'

/** A row of an export: payloads as raw bytes, all other columns as JSON values. */
export type ExportedRow = Readonly<Record<string, unknown>>

/** Reads the files of an export as rows. */
export class ExportFiles {
  readonly manifest: Manifest
  readonly #directory: string
  #clickhouse: EmbeddedClickHouse | undefined
  #db: Database | undefined
  #data: string | undefined

  private constructor(directory: string, manifest: Manifest) {
    this.#directory = directory
    this.manifest = manifest
  }

  static open(directory: string): ExportFiles {
    const manifest = Manifest.read(directory)
    if (manifest === undefined) throw new Error(`${directory} contains no export: export.jsonl is missing`)
    const { head } = manifest
    if (head.format === 'csv') throw new Error('CSV exports cannot be imported; export as jsonl or parquet')
    const incomplete = head.what.filter((what) => manifest.filesOf(what).at(-1)?.next !== null)
    if (incomplete.length > 0)
      throw new Error(
        `the export of ${incomplete.join(', ')} is incomplete; continue it with \`heddle export --resume\``,
      )
    if (head.columns !== null)
      throw new Error('exports with --columns cannot be imported; export all columns')
    return new ExportFiles(directory, manifest)
  }

  count(what: ExportKind): number {
    return this.manifest.filesOf(what).reduce((sum, { rows }) => sum + rows, 0)
  }

  /** Throws if a file differs from its SHA-256 in the manifest. */
  async check(): Promise<void> {
    for (const what of this.manifest.head.what) {
      for (const { file, sha256 } of this.manifest.filesOf(what)) {
        const hash = createHash('sha256')
        for await (const chunk of createReadStream(join(this.#directory, file))) hash.update(chunk as Buffer)
        if (hash.digest('hex') !== sha256)
          throw new Error(`${file} was changed after the export: its SHA-256 differs`)
      }
    }
  }

  async *rows(what: ExportKind, skip: number): AsyncGenerator<ExportedRow> {
    let left = skip
    for (const file of this.manifest.filesOf(what)) {
      if (left >= file.rows) {
        left -= file.rows
        continue
      }
      for await (const row of this.#readFile(file)) {
        if (left > 0) left--
        else yield row
      }
    }
  }

  async close(): Promise<void> {
    await this.#db?.close()
    await this.#clickhouse?.stop()
    if (this.#data !== undefined) await rm(this.#data, { recursive: true, force: true })
  }

  async *#readFile({ what, file }: ExportFile): AsyncGenerator<ExportedRow> {
    const path = join(this.#directory, file)
    if (this.manifest.head.format === 'jsonl') {
      for await (const line of readLines(path)) yield jsonlRow(what, line)
      return
    }
    const columns = EXPORT_COLUMNS[what]
    const rows = readParquetFile(await this.#database(), what, columns, () => createReadStream(path))
    for await (const row of rows) yield parquetRow(what, row)
  }

  /** ClickHouse parses Parquet: starts a temporary embedded one for the duration of the import. */
  async #database(): Promise<Database> {
    if (this.#db !== undefined) return this.#db
    this.#data = await mkdtemp(join(tmpdir(), 'heddle-import-'))
    this.#clickhouse = await startEmbeddedClickHouse({ directory: this.#data })
    const { url, username, password } = this.#clickhouse
    this.#db = new Database({
      url,
      username,
      password,
      database: 'default',
      retryWindowMs: 10_000,
      durability: 'process',
    })
    return this.#db
  }
}

async function* readLines(path: string): AsyncGenerator<Buffer> {
  let partial: Buffer[] = []
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      const rest = chunk.subarray(from, end)
      yield partial.length === 0 ? rest : Buffer.concat([...partial, rest])
      partial = []
      from = end + 1
    }
    if (from < chunk.length) partial.push(chunk.subarray(from))
  }
  if (partial.length > 0) throw new Error(`${path} is truncated: its last line is incomplete`)
}

function jsonlRow(what: ExportKind, line: Buffer): ExportedRow {
  const kinds = columnKinds(what)
  return Object.fromEntries(
    entries(RawJson.fromBytes(line)).map(([name, raw]) => {
      if (kinds.get(name) !== 'json') return [name, JSON.parse(raw.text) as unknown]
      return [name, raw.isNull ? null : raw]
    }),
  )
}

function parquetRow(what: ExportKind, row: Readonly<Record<string, unknown>>): ExportedRow {
  const kinds = columnKinds(what)
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value === null) return [name, null]
      if (kinds.get(name) === 'json') return [name, RawJson.fromText(value as string)]
      return [name, kinds.get(name) === 'number' ? Number(value) : value]
    }),
  )
}

function columnKinds(what: ExportKind): ReadonlyMap<string, string> {
  const known = kinds.get(what) ?? new Map(EXPORT_COLUMNS[what].map(({ name, kind }) => [name, kind]))
  kinds.set(what, known)
  return known
}

const kinds = new Map<ExportKind, ReadonlyMap<string, string>>()
