import type { Database } from '../../store/database/database.ts'
import { type LiveOrder, type LogEnd, readLogEnds } from '../../store/live/live-log.ts'

/** Projects per statement. */
const MAX_PROJECTS = 400

interface Batch {
  readonly project_ids: Set<string>
  readonly ends: Promise<(project_id: string) => LogEnd>
}

/**
 * Reads the current ends of projects' logs, one statement at a time: whoever asks while one runs shares the next. So
 * a hundred streams that open together need two statements.
 */
export class LogEnds {
  readonly #db: Database
  readonly #order: LiveOrder
  /** Settles when the last batch is read. */
  #last: Promise<unknown> = Promise.resolve()
  #next: Batch | undefined

  constructor(db: Database, order: LiveOrder) {
    this.#db = db
    this.#order = order
  }

  /** The statement starts after this call, so it sees everything that was stored before. */
  async read(project_id: string): Promise<LogEnd> {
    const isFull = (this.#next?.project_ids.size ?? 0) >= MAX_PROJECTS
    const batch = this.#next === undefined || isFull ? this.#addBatch() : this.#next
    batch.project_ids.add(project_id)
    return (await batch.ends)(project_id)
  }

  #addBatch(): Batch {
    const project_ids = new Set<string>()
    const ends = this.#last.then(() => {
      if (this.#next === batch) this.#next = undefined
      return readLogEnds(this.#db, [...project_ids], this.#order)
    })
    const batch = { project_ids, ends }
    this.#next = batch
    this.#last = ends.catch(() => {})
    return batch
  }
}
