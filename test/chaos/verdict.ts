/** What reading everything back has shown. */
export class Verdict {
  lost = 0
  duplicated = 0
  altered = 0
  #told = 0

  /** Enough is told to look at the first ones; the rest is counted. */
  note(kind: 'lost' | 'duplicated' | 'altered', sentence: string, count = 1): void {
    this[kind] += count
    if (this.#told++ < 20) console.log(`${kind.toUpperCase()}: ${sentence}`)
  }

  get isClean(): boolean {
    return this.lost + this.duplicated + this.altered === 0
  }
}
