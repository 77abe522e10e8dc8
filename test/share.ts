/** Nightly, not in `.ci/run`. */
const isLongRun = process.env['HEDDLE_TEST_LONG'] === '1'

/**
 * Deals values to the positions where each of them is to be tried: a part to each, rotating, so that all values are tried
 * somewhere. With HEDDLE_TEST_LONG=1 every position gets all.
 */
export class Shares {
  readonly #parts: number
  #dealt = 0

  constructor(parts: number) {
    this.#parts = isLongRun ? 1 : parts
  }

  next<T>(values: readonly T[]): T[] {
    const first = this.#dealt++ % this.#parts
    return values.filter((_, index) => index % this.#parts === first)
  }
}
