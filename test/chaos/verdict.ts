/** The result of reading everything back. */
export class Verdict {
  lost = 0
  duplicated = 0
  altered = 0
  #printed = 0

  /** Counts a violation and prints the first 20. */
  note(kind: 'lost' | 'duplicated' | 'altered', sentence: string, count = 1): void {
    this[kind] += count
    if (this.#printed++ < 20) console.log(`${kind.toUpperCase()}: ${sentence}`)
  }

  get isClean(): boolean {
    return this.lost + this.duplicated + this.altered === 0
  }
}
