import type { Readable } from 'node:stream'
import { parseError } from '@clickhouse/client'
import type { ResultLimit } from '../../core/concurrency/result-limit.ts'
import { leadingMembers } from '../../core/json/leading-members.ts'

/**
 * Reads the rows of a JSONEachRow response in groups as they arrive, and throws if the response is incomplete.
 * ClickHouse may fail after it has sent status 200 and then writes its error message among the rows: marked in some
 * versions, unmarked in others, in the middle of a row or after one. The reader of the official client ignores
 * everything after the last line end and ends normally, but a truncated list must never look complete.
 */
export async function* readRows<Row>(
  response: Readable,
  { limit, placeholderColumns, copyRow }: RowOptions = {},
): AsyncGenerator<Row[]> {
  const partial = new PartialRow(limit, placeholderColumns)
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (placeholderColumns === undefined) limit?.count(chunk.length)
    const rows: Row[] = []
    let from = 0
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      const { line, largeRow } = partial.end(chunk.subarray(from, end))
      from = end + 1
      const isRow = line[0] === OPEN_BRACE && (largeRow === undefined || line.at(-1) === CLOSE_BRACE)
      if (!isRow) throw await readFailure(concat([line], chunk.subarray(end)), response)
      rows.push((largeRow ?? parseRow(line.toString(), copyRow)) as Row)
      if (copyRow !== undefined) from = copyRows(chunk, from, copyRow, rows)
    }
    if (from < chunk.length) partial.add(chunk.subarray(from))
    if (rows.length > 0) yield rows
  }
  if (!partial.isEmpty) throw parseFailure(partial.end(Buffer.alloc(0)).line.toString())
}

export interface RowOptions {
  /** Default: the limit of the request that the statement belongs to. */
  readonly limit?: ResultLimit | undefined
  /**
   * A row above the limit becomes a `LargeRow` with at least these columns, which must be the first ones selected, and
   * the response is not counted. Without them, such a row fails the request.
   */
  readonly placeholderColumns?: readonly string[] | undefined
  /** Reads a row without parsing it; undefined for a row that must be parsed. */
  readonly copyRow?: ((row: string) => unknown) | undefined
}

/** Stands for a row that was too large to be parsed. */
interface LargeRow {
  readonly is_large_row: true
}

/** The beginning of a row whose end has not arrived yet. */
class PartialRow {
  readonly #limit: ResultLimit | undefined
  readonly #placeholderColumns: readonly string[] | undefined
  #chunks: Buffer[] = []
  #length = 0
  #largeRow: LargeRow | undefined

  constructor(limit: ResultLimit | undefined, placeholderColumns: readonly string[] | undefined) {
    this.#limit = limit
    this.#placeholderColumns = placeholderColumns
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    const limit = this.#limit
    if (limit === undefined || this.#length <= limit.maxRowBytes) return
    if (this.#placeholderColumns === undefined) return limit.checkRow(this.#length)
    this.#largeRow ??= leadingColumns(Buffer.concat(this.#chunks), this.#placeholderColumns)
    if (this.#largeRow !== undefined) this.#chunks = withoutMiddle(this.#chunks)
  }

  /** The complete line, without its middle if the row is large. */
  end(chunk: Buffer): { line: Buffer; largeRow: LargeRow | undefined } {
    const result = {
      line: this.#chunks.length === 0 ? chunk : concat(this.#chunks, chunk),
      largeRow: this.#largeRow,
    }
    this.#chunks = []
    this.#length = 0
    this.#largeRow = undefined
    return result
  }
}

/** Of a row that is not parsed, the first byte and the last ones are enough to recognize an error. */
function withoutMiddle(chunks: readonly Buffer[]): Buffer[] {
  const end: Buffer[] = []
  let bytes = 0
  for (let i = chunks.length - 1; i > 0 && bytes < FAILURE_BYTES; i--) {
    end.unshift(chunks[i]!)
    bytes += chunks[i]!.length
  }
  return bytes < FAILURE_BYTES ? [...chunks] : [chunks[0]!.subarray(0, 1), ...end]
}

/** Undefined if one of the columns is large itself. */
function leadingColumns(bytes: Buffer, columns: readonly string[]): LargeRow | undefined {
  const members = leadingMembers(bytes)
  const row = members === undefined ? {} : (JSON.parse(members) as object)
  return columns.every((name) => name in row) ? { ...row, is_large_row: true } : undefined
}

/** The response of an insert is empty; any content is an error. */
export async function expectEmptyResponse(response: Readable): Promise<void> {
  for await (const chunk of response as AsyncIterable<Buffer>) throw await readFailure(chunk, response)
}

const LINE_END = 0x0a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
/** An error message of ClickHouse has a few hundred bytes; an unknown response need not be read completely. */
const FAILURE_BYTES = 16_384

/** Reads the error message that replaces rows; it may arrive in several chunks. */
async function readFailure(first: Buffer, response: Readable): Promise<Error> {
  const chunks = [first]
  let length = first.length
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > FAILURE_BYTES) break
  }
  return parseFailure(Buffer.concat(chunks).toString())
}

/**
 * Copies the complete rows of a chunk from a position on, and returns the position after them. Decoding all of them
 * together takes half the time.
 */
function copyRows(
  chunk: Buffer,
  from: number,
  copyRow: NonNullable<RowOptions['copyRow']>,
  rows: unknown[],
): number {
  const last = chunk.lastIndexOf(LINE_END)
  if (last < from) return from
  const text = chunk.toString('utf8', from, last + 1)
  let at = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
    const line = text.slice(at, end)
    if (!line.startsWith('{')) return from + Buffer.byteLength(text.slice(0, at))
    rows.push(parseRow(line, copyRow))
    at = end + 1
  }
  return last + 1
}

function parseRow(text: string, copyRow: RowOptions['copyRow']): unknown {
  try {
    return copyRow?.(text) ?? JSON.parse(text)
  } catch (error) {
    throw parseFailure(text, error)
  }
}

export function parseFailure(text: string, cause?: unknown): Error {
  const failure = parseError(text.slice(-FAILURE_BYTES))
  // Not an error of ClickHouse: the response was cut off, which counts as a broken connection.
  return 'type' in failure
    ? failure
    : Object.assign(new Error('the response was cut off', { cause }), BROKEN_CONNECTION)
}

const BROKEN_CONNECTION = { code: 'ECONNABORTED' }

function concat(partial: readonly Buffer[], end: Buffer): Buffer {
  return Buffer.concat([...partial, end])
}
