import { closeSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Kinds of journal entries. `row` only lists rows whose digest differs at the target. */
export type Kind = 'object' | 'gap' | 'label' | 'table' | 'row' | 'file' | 'running' | 'cursor'

/** Identifies the import that a journal belongs to; another import must not continue it. */
export interface JournalHead {
  readonly from: string
  readonly to: string
  readonly project_id: string
  readonly to_project_id: string
}

/**
 * The journal of an import: one line per item, appended after the target acknowledged it. An interrupted run, even by
 * `kill -9`, continues after the last complete line. Work after that line is repeated, which is harmless because
 * everything is stored under its id or digest.
 */
export class Journal {
  readonly #fd: number
  readonly #entries = new Map<Kind, Map<string, string>>()

  private constructor(fd: number) {
    this.#fd = fd
  }

  static open(path: string, head: JournalHead): Journal {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const text = readIfExists(path)
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    const [first, ...lines] = whole.split('\n').filter((line) => line !== '')
    if (first !== undefined && first !== JSON.stringify(head)) {
      throw new Error(`${path} is the journal of another import; choose another file with --state FILE`)
    }
    if (Buffer.byteLength(whole) < Buffer.byteLength(text)) truncateSync(path, Buffer.byteLength(whole))
    const journal = new Journal(openSync(path, 'a', 0o600))
    if (first === undefined) writeSync(journal.#fd, `${JSON.stringify(head)}\n`)
    for (const line of lines) {
      const [kind, key, value] = JSON.parse(line) as [Kind, string, string]
      journal.#of(kind).set(key, value)
    }
    return journal
  }

  has(kind: Kind, key: string): boolean {
    return this.#of(kind).has(key)
  }

  get(kind: Kind, key: string): string | undefined {
    return this.#of(kind).get(key)
  }

  entries(kind: Kind): [string, string][] {
    return [...this.#of(kind)]
  }

  count(kind: Kind): number {
    return this.#of(kind).size
  }

  add(kind: Kind, key: string, value = ''): void {
    this.addAll(kind, [[key, value]])
  }

  addAll(kind: Kind, entries: Iterable<readonly [string, string]>): void {
    let lines = ''
    for (const [key, value] of entries) {
      this.#of(kind).set(key, value)
      lines += `${JSON.stringify([kind, key, value])}\n`
    }
    if (lines !== '') writeSync(this.#fd, lines)
  }

  close(): void {
    closeSync(this.#fd)
  }

  #of(kind: Kind): Map<string, string> {
    const known = this.#entries.get(kind)
    if (known !== undefined) return known
    const made = new Map<string, string>()
    this.#entries.set(kind, made)
    return made
  }
}

function readIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
