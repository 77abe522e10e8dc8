import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Exported, ExportFormat } from '../../contract/export/export.ts'

/** What an export is of: another one must not go on in its directory. */
export interface ExportHead {
  readonly project_id: string
  readonly format: ExportFormat
  readonly what: readonly Exported[]
  readonly filter: string | null
  readonly query: string | null
  readonly columns: readonly string[] | null
}

/** A file that is whole. */
export interface PieceDone {
  readonly what: Exported
  readonly file: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  /** Where the next piece begins; null after the last. */
  readonly next: string | null
}

const NAME = 'export.jsonl'

/**
 * `export.jsonl`: a line that says what the export is of, then one for each file, written after the file is whole. A
 * run that ended anywhere goes on after the last line.
 */
export class Manifest {
  readonly head: ExportHead
  readonly #path: string
  readonly #pieces: PieceDone[]

  private constructor(path: string, head: ExportHead, pieces: PieceDone[]) {
    this.#path = path
    this.head = head
    this.#pieces = pieces
  }

  static read(directory: string): Manifest | undefined {
    const path = join(directory, NAME)
    if (!existsSync(path)) return undefined
    const text = readFileSync(path, 'utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    // A line without its end was being written.
    if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole))
    const [head, ...pieces] = whole
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown)
    return head === undefined ? undefined : new Manifest(path, head as ExportHead, pieces as PieceDone[])
  }

  static begin(directory: string, head: ExportHead): Manifest {
    const path = join(directory, NAME)
    appendFileSync(path, `${JSON.stringify(head)}\n`, { mode: 0o600, flush: true })
    return new Manifest(path, head, [])
  }

  isAbout(head: ExportHead): boolean {
    return JSON.stringify(this.head) === JSON.stringify(head)
  }

  of(what: Exported): PieceDone[] {
    return this.#pieces.filter((piece) => piece.what === what)
  }

  add(piece: PieceDone): void {
    this.#pieces.push(piece)
    appendFileSync(this.#path, `${JSON.stringify(piece)}\n`, { flush: true })
  }
}
