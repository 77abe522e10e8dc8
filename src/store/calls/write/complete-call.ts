import type { CallFacts, EndFact, StartFact } from '../../../core/calls/call-facts.ts'
import { endTimeIn, NO_NAME, startTimeIn } from '../columns/call-columns.ts'
import type { RowBlock } from './row-arena.ts'
import type { Micros } from '../../../core/time/time.ts'

/**
 * A complete call. Its facts are sliced out of its row only on demand, which is rare. Objects that live until the insert
 * is acknowledged are what the garbage collector has to move, so there are few of them.
 */
export class CompleteCall implements CallFacts {
  readonly project_id: string
  readonly id: string
  readonly isComplete = true
  readonly #name: Buffer | undefined
  readonly #sent_by: string
  readonly #block: RowBlock
  readonly #from: number
  readonly #start: number
  readonly #middle: number
  readonly #end: number
  readonly #to: number

  constructor(
    project_id: string,
    id: string,
    name: Buffer | undefined,
    sent_by: string,
    block: RowBlock,
    [from, start, middle, end, to]: readonly [number, number, number, number, number],
  ) {
    this.project_id = project_id
    this.id = id
    this.#name = name
    this.#sent_by = sent_by
    this.#block = block
    this.#from = from
    this.#start = start
    this.#middle = middle
    this.#end = end
    this.#to = to
  }

  get row(): Buffer {
    return this.#block.bytes.subarray(this.#from, this.#to)
  }

  get rowBytes(): number {
    return this.#to - this.#from
  }

  get startedAt(): Micros {
    return startTimeIn(this.#startBody())
  }

  get start(): StartFact {
    const body = this.#startBody()
    const [name, sent_by] = [this.#name, this.#sent_by]
    return { version: this.#versionAt(0), body, started_at: startTimeIn(body), name, sent_by }
  }

  get end(): EndFact {
    const body = this.#endBody()
    return { version: this.#versionAt(1), body, ended_at: endTimeIn(body) }
  }

  /** `start_version` and `end_version` are the columns after the name. */
  #versionAt(index: 0 | 1): bigint {
    const { bytes } = this.#block
    const at = this.#end + (this.#name ?? NO_NAME).length + 16 * index
    return (bytes.readBigUInt64LE(at + 8) << 64n) | bytes.readBigUInt64LE(at)
  }

  #startBody(): Buffer {
    return this.#block.bytes.subarray(this.#start, this.#middle)
  }

  #endBody(): Buffer {
    return this.#block.bytes.subarray(this.#middle, this.#end)
  }
}
