import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Exported } from '../../contract/export/export.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { entries } from '../../core/json/navigate.ts'
import { type Engine, startEmbeddedClickHouse } from '../../clickhouse/embedded-clickhouse.ts'
import { Database } from '../../store/database/database.ts'
import { EXPORT_COLUMNS } from '../../store/export/columns.ts'
import { readParquetFile } from '../../store/export/parquet-file.ts'
import { Manifest, type PieceDone } from '../export/manifest.ts'

/** A row of an export: payloads as their bytes, everything else as JSON has it. */
export type ExportedRow = Readonly<Record<string, unknown>>

/** The files of an export, as rows. */
export class ExportFiles {
  readonly manifest: Manifest
  readonly #directory: string
  #engine: Engine | undefined
  #db: Database | undefined
  #data: string | undefined

  private constructor(directory: string, manifest: Manifest) {
    this.#directory = directory
    this.manifest = manifest
  }

  static open(directory: string): ExportFiles {
    const manifest = Manifest.read(directory)
    if (manifest === undefined)
      throw new Error(`${directory} holds no export: there is no export.jsonl in it`)
    const { head } = manifest
    if (head.format === 'csv')
      throw new Error('CSV does not keep what is needed to bring a project back; export as jsonl or parquet')
    const open = head.what.filter((what) => manifest.of(what).at(-1)?.next !== null)
    if (open.length > 0)
      throw new Error(`the export of ${open.join(', ')} has not ended; go on with \`heddle export --resume\``)
    if (head.columns !== null) throw new Error('an export of some columns only cannot be brought back')
    return new ExportFiles(directory, manifest)
  }

  count(what: Exported): number {
    return this.manifest.of(what).reduce((sum, { rows }) => sum + rows, 0)
  }

  /** Throws if a file is not what it was when it was written. */
  async check(): Promise<void> {
    for (const what of this.manifest.head.what) {
      for (const { file, sha256 } of this.manifest.of(what)) {
        const hash = createHash('sha256')
        for await (const chunk of createReadStream(join(this.#directory, file))) hash.update(chunk as Buffer)
        if (hash.digest('hex') !== sha256)
          throw new Error(`${file} is not what was exported; its bytes changed`)
      }
    }
  }

  async *rows(what: Exported, skip: number): AsyncGenerator<ExportedRow> {
    let left = skip
    for (const piece of this.manifest.of(what)) {
      if (left >= piece.rows) {
        left -= piece.rows
        continue
      }
      for await (const row of this.#rowsOf(piece)) {
        if (left > 0) left--
        else yield row
      }
    }
  }

  async close(): Promise<void> {
    await this.#db?.close()
    await this.#engine?.stop()
    if (this.#data !== undefined) await rm(this.#data, { recursive: true, force: true })
  }

  async *#rowsOf({ what, file }: PieceDone): AsyncGenerator<ExportedRow> {
    const path = join(this.#directory, file)
    if (this.manifest.head.format === 'jsonl') {
      for await (const line of linesIn(path)) yield lineRow(what, line)
      return
    }
    const columns = EXPORT_COLUMNS[what]
    const rows = readParquetFile(await this.#database(), what, columns, () => createReadStream(path))
    for await (const row of rows) yield engineRow(what, row)
  }

  /** Only Parquet needs one: a small one of our own, for the time of the import. */
  async #database(): Promise<Database> {
    if (this.#db !== undefined) return this.#db
    this.#data = await mkdtemp(join(tmpdir(), 'heddle-import-'))
    this.#engine = await startEmbeddedClickHouse({ directory: this.#data })
    const { url, username, password } = this.#engine
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

async function* linesIn(path: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      const rest = chunk.subarray(from, end)
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest])
      begun = []
      from = end + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
  if (begun.length > 0) throw new Error(`${path} ends in the middle of a line`)
}

function lineRow(what: Exported, line: Buffer): ExportedRow {
  const kinds = kindsOf(what)
  return Object.fromEntries(
    entries(RawJson.fromBytes(line)).map(([name, raw]) => {
      if (kinds.get(name) !== 'json') return [name, JSON.parse(raw.text) as unknown]
      return [name, raw.isNull ? null : raw]
    }),
  )
}

function engineRow(what: Exported, row: Readonly<Record<string, unknown>>): ExportedRow {
  const kinds = kindsOf(what)
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value === null) return [name, null]
      if (kinds.get(name) === 'json') return [name, RawJson.fromText(value as string)]
      return [name, kinds.get(name) === 'number' ? Number(value) : value]
    }),
  )
}

function kindsOf(what: Exported): ReadonlyMap<string, string> {
  const known = kinds.get(what) ?? new Map(EXPORT_COLUMNS[what].map(({ name, kind }) => [name, kind]))
  kinds.set(what, known)
  return known
}

const kinds = new Map<Exported, ReadonlyMap<string, string>>()
