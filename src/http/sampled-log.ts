import type { Logger } from 'pino'
import { BoundedMap } from '../core/concurrency/bounded-map.ts'

/**
 * Log lines of failed requests. Of lines that are alike the first few per period are written; the others are counted, and
 * one line at the end of the period has their number. A flood of rejected requests must not fill the disk of the log.
 */
export class SampledLog {
  readonly #log: Logger
  /** By what makes lines alike. */
  readonly #kinds = new BoundedMap<string, Kind>(MAX_KINDS)
  #hasBegun = false

  constructor(log: Logger) {
    this.#log = log
  }

  write(level: 'info' | 'error', alike: readonly unknown[], line: () => object, message: string): void {
    const key = [level, ...alike].join('\0')
    let kind = this.#kinds.get(key)
    if (kind === undefined) {
      kind = { level, written: 0, dropped: 0, first: undefined, message }
      this.#kinds.set(key, kind)
      if (!this.#hasBegun) setTimeout(() => this.#endPeriod(), PERIOD_MS).unref()
      this.#hasBegun = true
    }
    if (kind.written < MAX_WRITTEN) {
      kind.written++
      this.#log[level](line(), message)
      return
    }
    if (kind.dropped++ === 0) kind.first = line()
  }

  /** Writes the numbers of lines that were left out. */
  #endPeriod(): void {
    this.#hasBegun = false
    for (const [, { level, dropped, first, message }] of this.#kinds.entries())
      if (dropped > 0) this.#log[level]({ ...first, more: dropped }, `${message}; ${dropped} more like this`)
    this.#kinds.clear()
  }
}

interface Kind {
  readonly level: 'info' | 'error'
  readonly message: string
  written: number
  dropped: number
  /** The first line that was left out. */
  first: object | undefined
}

/** Of lines that are alike. */
const MAX_WRITTEN = 20
const PERIOD_MS = 10_000
/** Of an evicted kind, the number of lines is lost. */
const MAX_KINDS = 1_000
