import { BLOCK } from './records.ts'

/** What clients know of each call: which of its facts were sent, and which were acknowledged. */
export type FactName = 'start' | 'end' | 'second_end' | 'name' | 'second_name' | 'deletion'

const BIT: Readonly<Record<FactName, number>> = {
  start: 0,
  end: 2,
  second_end: 4,
  name: 6,
  second_name: 8,
  deletion: 10,
}

/** `sent` means unknown: it may be stored or not. */
export type Knowledge = 'nothing' | 'sent' | 'acked'

const KNOWLEDGE = ['nothing', 'sent', 'acked'] as const

/** Two bytes a call. */
export class History {
  #facts = new Uint16Array(1 << 20)
  #next = 0
  /** Records that were acknowledged; a complete call is one, a start and an end apart are two. */
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

  of(n: number, fact: FactName): Knowledge {
    const known = (this.#facts[n]! >> BIT[fact]) & 3
    return KNOWLEDGE[known >= 2 ? 2 : known]!
  }

  /** For a person who wants to know what went wrong. */
  describe(n: number): string {
    return (Object.keys(BIT) as FactName[])
      .filter((fact) => this.of(n, fact) !== 'nothing')
      .map((fact) => `${fact} ${this.of(n, fact)}`)
      .join(', ')
  }
}
