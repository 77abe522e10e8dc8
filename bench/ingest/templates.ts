import { ID, TIME } from './calls.ts'

/** A request body that is reused: new ids and times are written over the old ones, so generating it costs nothing. */
export class Template {
  readonly bytes: Buffer
  readonly #ids: readonly number[]
  readonly #times: readonly number[]
  /** How often the body contains the id of one call. */
  readonly #idsPerCall: number

  constructor(text: string, idsPerCall: number) {
    this.bytes = Buffer.from(text)
    this.#ids = offsets(this.bytes, ID)
    this.#times = offsets(this.bytes, TIME)
    this.#idsPerCall = idsPerCall
  }

  get calls(): number {
    return this.#ids.length / this.#idsPerCall
  }

  fill(ids: Ids, first: number): Buffer {
    let n = first
    for (let i = 0; i < this.#ids.length; i += this.#idsPerCall) {
      const id = ids.at(n++)
      for (let k = 0; k < this.#idsPerCall; k++) this.bytes.write(id, this.#ids[i + k] ?? 0, 'latin1')
    }
    const time = timeText(ids.timeOf(first))
    for (const at of this.#times) this.bytes.write(time, at, 'latin1')
    return this.bytes
  }
}

function offsets(bytes: Buffer, text: string): number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) found.push(at)
  return found
}

function timeText(millis: number): string {
  return `${new Date(millis).toISOString().slice(0, -1)}000Z`
}

/** Ids computed from a number, so that the end of a call gets the id of its start: time, stream, number. */
export class Ids {
  readonly #stream: string
  readonly #times: number[] = []

  constructor(stream: number) {
    this.#stream = stream.toString(16).padStart(6, '0')
  }

  /** Each hundred numbers share one millisecond. */
  timeOf(n: number): number {
    const hundred = Math.floor(n / 100)
    return (this.#times[hundred] ??= Date.now())
  }

  at(n: number): string {
    const time = this.timeOf(n).toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${this.#stream.slice(0, 3)}-8${this.#stream.slice(3)}-${n.toString(16).padStart(12, '0')}`
  }
}
