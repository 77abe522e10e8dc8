import { END_NANOS, SPAN_MARK, START_NANOS, TRACE_MARK } from './spans.ts'

/** A request body that is reused: new ids and times are written over the placeholders of its spans. */
export class SpanTemplate {
  readonly bytes: Buffer
  readonly spans: number
  readonly #isText: boolean
  /** Pairs of an offset and the number of the span. */
  readonly #ids: readonly (readonly [number, number])[]
  readonly #times: readonly Place[]

  /** `isText` is false for protobuf. */
  constructor(bytes: Buffer, isText: boolean) {
    this.bytes = bytes
    this.#isText = isText
    const ids = [...(isText ? bytes.toString('latin1') : bytes.toString('hex')).matchAll(ID)].map(
      ({ index, 0: id }) => [isText ? index : index / 2, Number.parseInt(id.slice(-8), 16)] as const,
    )
    const first = Math.min(...ids.map(([, number]) => number))
    this.#ids = ids.map(([at, number]) => [at, number - first])
    this.spans = Math.max(...this.#ids.map(([, number]) => number)) + 1
    this.#times = (isText ? TEXT_TIMES : BINARY_TIMES).flatMap((form) => placesOf(bytes, form))
  }

  /** `stream` distinguishes connections; the spans of one are counted from `first`. */
  fill(stream: number, first: number): Buffer {
    const prefix = stream.toString(16).padStart(6, '0')
    for (const [at, number] of this.#ids) {
      const id = `${prefix}${(first + number).toString(16).padStart(10, '0')}`
      this.bytes.write(id, at, this.#isText ? 'latin1' : 'hex')
    }
    const now = BigInt(Date.now()) * 1_000_000n
    for (const { at, write, offset } of this.#times) write(now + offset).copy(this.bytes, at)
    return this.bytes
  }
}

/** The right half of a trace id, and a span id. */
const ID = new RegExp(`(?:${TRACE_MARK}|${SPAN_MARK})0000[0-9a-f]{8}`, 'g')

interface Form {
  /** The time with the same number of bytes, whatever it is. */
  readonly write: (nanos: bigint) => Buffer
  /** After the start. */
  readonly offset: bigint
}

interface Place extends Form {
  readonly at: number
}

const OFFSETS = [0n, END_NANOS - START_NANOS]

const BINARY_TIMES: readonly Form[] = OFFSETS.map((offset) => ({ write: fixed64, offset }))
const TEXT_TIMES: readonly Form[] = OFFSETS.flatMap((offset) => [
  { write: (nanos: bigint) => Buffer.from(nanos.toString()), offset },
  { write: (nanos: bigint) => Buffer.from(timeText(nanos)), offset },
])

function placesOf(bytes: Buffer, { write, offset }: Form): Place[] {
  const placeholder = write(START_NANOS + offset)
  const places: Place[] = []
  for (let at = bytes.indexOf(placeholder); at >= 0; at = bytes.indexOf(placeholder, at + 1))
    places.push({ at, write, offset })
  return places
}

function fixed64(nanos: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(nanos)
  return bytes
}

/** To the millisecond, which the times of this bench are multiples of. */
export function timeText(nanos: bigint): string {
  return `${new Date(Number(nanos / 1_000_000n)).toISOString().slice(0, -1)}000Z`
}
