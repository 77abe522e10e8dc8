import type { Metric, MetricsGroup } from '../../contract/metrics/metrics.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { type Decimal, formatDecimal, plus, ZERO } from '../costs/decimal.ts'

/** Numbers of calls put together: cells of a group and a bucket, groups, and which of them are the largest. */

type Value = number | null

/** What cannot be added up, and is not 0 where there is nothing. */
export function isLatency(measure: Metric): boolean {
  return measure.endsWith('latency_ms')
}

/** What is known of one group in one bucket. */
class Cell {
  readonly #values = new Map<Metric, Value>()
  #cost: Decimal | undefined
  #isUnpriced = false

  set(measure: Metric, value: Value): void {
    this.#values.set(measure, value)
  }

  add(measure: Metric, value: number): void {
    this.#values.set(measure, (this.#values.get(measure) ?? 0) + value)
  }

  /** undefined: tokens that have no price. */
  charge(cost: Decimal | undefined): void {
    if (cost === undefined) this.#isUnpriced = true
    else this.#cost = plus(this.#cost ?? ZERO, cost)
  }

  merge(other: Cell): void {
    for (const [measure, value] of other.#values)
      if (value !== null && !isLatency(measure)) this.add(measure, value)
    if (other.#cost !== undefined) this.charge(other.#cost)
    if (other.#isUnpriced) this.charge(undefined)
  }

  get cost(): Decimal {
    return this.#cost ?? ZERO
  }

  value(measure: Metric): number {
    return this.#values.get(measure) ?? 0
  }

  view(measure: Metric): Value | RawJson {
    if (measure === 'cost') {
      const isUnknown = this.#cost === undefined && this.#isUnpriced
      return isUnknown ? null : RawJson.fromText(formatDecimal(this.cost))
    }
    return this.#values.get(measure) ?? (isLatency(measure) ? null : 0)
  }
}

const EMPTY = new Cell()

/** The numbers of one group, by bucket. */
export class GroupNumbers {
  readonly keys: readonly (string | null)[]
  readonly unpriced = new Set<string>()
  readonly #cells = new Map<number, Cell>()
  readonly #overall = new Map<Metric, Value>()
  #totals: Cell | undefined

  constructor(keys: readonly (string | null)[]) {
    this.keys = keys
  }

  cell(bucket: number): Cell {
    let cell = this.#cells.get(bucket)
    if (cell === undefined) this.#cells.set(bucket, (cell = new Cell()))
    return cell
  }

  /** What does not add up over the buckets, such as a percentile. */
  setOverall(measure: Metric, value: Value): void {
    this.#overall.set(measure, value)
  }

  /** Once all of it is known. */
  get totals(): Cell {
    if (this.#totals === undefined) {
      this.#totals = new Cell()
      for (const cell of this.#cells.values()) this.#totals.merge(cell)
      for (const [measure, value] of this.#overall) this.#totals.set(measure, value)
    }
    return this.#totals
  }

  view(names: readonly string[], measures: readonly Metric[], buckets: readonly number[]): MetricsGroup {
    const series = measures.map((measure) => [
      measure,
      buckets.map((bucket) => (this.#cells.get(bucket) ?? EMPTY).view(measure)),
    ])
    return {
      key: Object.fromEntries(names.map((name, i) => [name, this.keys[i] ?? null])),
      totals: Object.fromEntries(measures.map((measure) => [measure, this.totals.view(measure)])),
      series: Object.fromEntries(series) as MetricsGroup['series'],
      unpriced: [...this.unpriced].sort(),
    }
  }
}
