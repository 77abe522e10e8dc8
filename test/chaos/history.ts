import { BLOCK } from './records.ts'

/** Which facts of each call the clients have sent, and which were acknowledged. */
export type FactName = 'start' | 'second_start' | 'end' | 'second_end' | 'name' | 'second_name' | 'deletion'

const BIT: Readonly<Record<FactName, number>> = {
  start: 0,
  end: 2,
  second_end: 4,
  name: 6,
  second_name: 8,
  deletion: 10,
  second_start: 12,
}

/** `sent` means unknown: the fact may be stored or not. */
export type FactState = 'nothing' | 'sent' | 'acked'

const FACT_STATES = ['nothing', 'sent', 'acked'] as const

/** Uses two bytes per call. */
export class History {
  #facts = new Uint16Array(1 << 20)
  #next = 0
  /** Acknowledged records. A complete call is one record; a separate start and end are two. */
  acked = 0

  get calls(): number {
    return this.#next
  }

  /** The first number of a new block. */
  takeBlock(): number {
    const first = this.#next
    this.#next += BLOCK
    if (this.#next > this.#facts.length) {
      const larger = new Uint16Array(this.#facts.length * 2)
      larger.set(this.#facts)
      this.#facts = larger
    }
    return first
  }

  sent(n: number, fact: FactName): void {
    this.#facts[n]! |= 1 << BIT[fact]
  }

  ack(n: number, fact: FactName): void {
    this.#facts[n]! |= 2 << BIT[fact]
  }

  /** A record of this kind that was sent later is acknowledged: this one must no longer be seen. */
  supersede(n: number, fact: FactName): void {
    this.#facts[n]! &= ~(3 << BIT[fact])
  }

  stateOf(n: number, fact: FactName): FactState {
    const bits = (this.#facts[n]! >> BIT[fact]) & 3
    return FACT_STATES[bits >= 2 ? 2 : bits]!
  }

  /** The facts of a call as text, for error messages. */
  describe(n: number): string {
    return (Object.keys(BIT) as FactName[])
      .filter((fact) => this.stateOf(n, fact) !== 'nothing')
      .map((fact) => `${fact} ${this.stateOf(n, fact)}`)
      .join(', ')
  }
}
