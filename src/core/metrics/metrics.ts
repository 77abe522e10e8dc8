import { isAdditiveMeasure } from '../../contract/metrics/field-measures.ts'
import type { Metric, MetricsGroup } from '../../contract/metrics/metrics.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { type Decimal, formatDecimal, plus, ZERO } from '../costs/decimal.ts'

/** Accumulators for call metrics: one cell per group and time bucket. */

type Value = number | null

/** The metrics of one group in one bucket. */
class Cell {
  readonly #values = new Map<Metric, Value>()
  #cost: Decimal | undefined
  #isUnpriced = false

  set(metric: Metric, value: Value): void {
    this.#values.set(metric, value)
  }

  add(metric: Metric, value: number): void {
    this.#values.set(metric, (this.#values.get(metric) ?? 0) + value)
  }

  /** `undefined` stands for tokens without a price. */
  addCost(cost: Decimal | undefined): void {
    if (cost === undefined) this.#isUnpriced = true
    else this.#cost = plus(this.#cost ?? ZERO, cost)
  }

  merge(other: Cell): void {
    for (const [metric, value] of other.#values)
      if (value !== null && isAdditiveMeasure(metric)) this.add(metric, value)
    if (other.#cost !== undefined) this.addCost(other.#cost)
    if (other.#isUnpriced) this.addCost(undefined)
  }

  get cost(): Decimal {
    return this.#cost ?? ZERO
  }

  value(metric: Metric): number {
    return this.#values.get(metric) ?? 0
  }

  view(metric: Metric): Value | RawJson {
    if (metric === 'cost') {
      const isUnknown = this.#cost === undefined && this.#isUnpriced
      return isUnknown ? null : RawJson.fromText(formatDecimal(this.cost))
    }
    return this.#values.get(metric) ?? (isAdditiveMeasure(metric) ? 0 : null)
  }
}

const EMPTY = new Cell()

/** The metrics of one group, by bucket. */
export class GroupMetrics {
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

  /** Sets a metric that cannot be summed over buckets, such as a percentile. */
  setOverall(metric: Metric, value: Value): void {
    this.#overall.set(metric, value)
  }

  /** Computed on first access, after all cells are filled. */
  get totals(): Cell {
    if (this.#totals === undefined) {
      this.#totals = new Cell()
      for (const cell of this.#cells.values()) this.#totals.merge(cell)
      for (const [metric, value] of this.#overall) this.#totals.set(metric, value)
    }
    return this.#totals
  }

  view(names: readonly string[], metrics: readonly Metric[], buckets: readonly number[]): MetricsGroup {
    const series = metrics.map((metric) => [
      metric,
      buckets.map((bucket) => (this.#cells.get(bucket) ?? EMPTY).view(metric)),
    ])
    return {
      key: Object.fromEntries(names.map((name, i) => [name, this.keys[i] ?? null])),
      totals: Object.fromEntries(metrics.map((metric) => [metric, this.totals.view(metric)])),
      series: Object.fromEntries(series) as MetricsGroup['series'],
      unpriced: [...this.unpriced].sort(),
    }
  }
}
