import { BoundedMap } from '../../core/concurrency/bounded-map.ts'

/** Counts the call records and bytes that projects send, for metrics. */

export interface Load {
  records: number
  bytes: number
}

/** All projects without a series of their own. */
const OTHER_PROJECTS = 'other'

/** How often a busier project takes the series of a quieter one. */
const ROTATION_MS = 10 * 60_000

/** Projects without a series whose bytes are counted until the next rotation. */
const MAX_CANDIDATES = 1_000

/**
 * The busiest projects have a series each, at most `maxProjects`; the others share one. A project that loses its series
 * counts as another project from then on, so that no counter ever falls.
 */
export class ProjectLoad {
  readonly #maxProjects: number
  readonly #nowMs: () => number
  readonly #series = new Map<string, Load>()
  readonly #other: Load = { records: 0, bytes: 0 }
  /** Bytes since the last rotation. */
  readonly #recent = new Map<string, number>()
  readonly #candidates = new BoundedMap<string, number>(MAX_CANDIDATES)
  #rotatedMs: number

  constructor(maxProjects: number, nowMs = (): number => performance.now()) {
    this.#maxProjects = maxProjects
    this.#nowMs = nowMs
    this.#rotatedMs = nowMs()
  }

  add(project_id: string, records: number, bytes: number): void {
    if (this.#nowMs() - this.#rotatedMs > ROTATION_MS) this.#rotate()
    const series = this.#seriesOf(project_id)
    const load = series ?? this.#other
    load.records += records
    load.bytes += bytes
    if (series !== undefined) this.#recent.set(project_id, (this.#recent.get(project_id) ?? 0) + bytes)
    else if (this.#maxProjects > 0)
      this.#candidates.set(project_id, (this.#candidates.get(project_id) ?? 0) + bytes)
  }

  /** By project, and under `other`. */
  totals(): [project: string, Readonly<Load>][] {
    return [...this.#series, [OTHER_PROJECTS, this.#other]]
  }

  #seriesOf(project_id: string): Load | undefined {
    const series = this.#series.get(project_id)
    if (series !== undefined || this.#series.size >= this.#maxProjects) return series
    const created = { records: 0, bytes: 0 }
    this.#series.set(project_id, created)
    return created
  }

  #rotate(): void {
    const quietest = [...this.#series.keys()]
      .map((project_id) => ({ project_id, bytes: this.#recent.get(project_id) ?? 0 }))
      .sort((a, b) => a.bytes - b.bytes)
    const busiest = [...this.#candidates.entries()].sort(([, a], [, b]) => b - a)
    for (const [i, [project_id, bytes]] of busiest.entries()) {
      const quiet = quietest[i]
      if (quiet === undefined || quiet.bytes >= bytes) break
      this.#series.delete(quiet.project_id)
      this.#series.set(project_id, { records: 0, bytes: 0 })
    }
    this.#recent.clear()
    this.#candidates.clear()
    this.#rotatedMs = this.#nowMs()
  }
}
