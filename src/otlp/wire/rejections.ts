import type { Rejection } from '../model.ts'

/** Counts what is not stored, by reason. */
export class Rejections {
  readonly #counts = new Map<string, number>()

  constructor(rejected: readonly Rejection[] = []) {
    for (const { reason, count } of rejected) this.add(reason, count)
  }

  /** A count of 0 is a warning. */
  add(reason: string, count = 1): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count)
  }

  get list(): Rejection[] {
    return [...this.#counts].map(([reason, count]) => ({ count, reason }))
  }
}
