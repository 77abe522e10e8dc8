import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { ExportKind, ExportFormat } from '../../contract/export/export.ts'

/** The options of an export. An export with other options must not continue in its directory. */
export interface ExportHead {
  readonly project_id: string
  readonly format: ExportFormat
  readonly what: readonly ExportKind[]
  readonly filter: string | null
  readonly query: string | null
  readonly columns: readonly string[] | null
}

/** A completely written file. */
export interface ExportFile {
  readonly what: ExportKind
  readonly file: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  /** Cursor of the next file; null after the last one. */
  readonly next: string | null
}

const NAME = 'export.jsonl'

/**
 * The manifest of an export, `export.jsonl`: one line with the options, then one line per file, appended after the file
 * is complete. An interrupted export continues after the last line.
 */
export class Manifest {
  readonly head: ExportHead
  readonly #path: string
  readonly #pieces: ExportFile[]

  private constructor(path: string, head: ExportHead, pieces: ExportFile[]) {
    this.#path = path
    this.head = head
    this.#pieces = pieces
  }

  static read(directory: string): Manifest | undefined {
    const path = join(directory, NAME)
    if (!existsSync(path)) return undefined
    const text = readFileSync(path, 'utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    // The last line was only partly written.
    if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole))
    const [head, ...pieces] = whole
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown)
    return head === undefined ? undefined : new Manifest(path, head as ExportHead, pieces as ExportFile[])
  }

  static create(directory: string, head: ExportHead): Manifest {
    const path = join(directory, NAME)
    appendFileSync(path, `${JSON.stringify(head)}\n`, { mode: 0o600, flush: true })
    return new Manifest(path, head, [])
  }

  matches(head: ExportHead): boolean {
    return JSON.stringify(this.head) === JSON.stringify(head)
  }

  filesOf(what: ExportKind): ExportFile[] {
    return this.#pieces.filter((piece) => piece.what === what)
  }

  add(piece: ExportFile): void {
    this.#pieces.push(piece)
    appendFileSync(this.#path, `${JSON.stringify(piece)}\n`, { flush: true })
  }
}
