import { BoundedMap } from '../../core/concurrency/bounded-map.ts'
import { outsideRequest } from '../../core/concurrency/request-scope.ts'
import { formatTime } from '../../core/time/time.ts'
import { writeKeyUses } from '../../store/access/key-uses.ts'
import type { Deps } from '../deps.ts'

/** Records when API keys and sessions are used, so that their owners can tell which are in use. */

/** A use within this time of a recorded one is not recorded. */
const PRECISION_MS = 300_000

/** Uses of this time are stored by one insert. */
const COLLECT_MS = 1_000

const MAX_KEYS = 100_000

export class KeyUses {
  readonly #deps: Pick<Deps, 'db' | 'now'>
  /** key_id -> when its last recorded use was, in milliseconds. */
  readonly #recorded = new BoundedMap<string, number>(MAX_KEYS)
  #pending = new Map<string, bigint>()

  constructor(deps: Pick<Deps, 'db' | 'now'>) {
    this.#deps = deps
  }

  /** Returns at once. A use that cannot be stored is forgotten: the next one is recorded. */
  record(key_id: string): void {
    const now = this.#deps.now()
    const nowMs = Number(now / 1000n)
    const recordedMs = this.#recorded.get(key_id)
    if (recordedMs !== undefined && nowMs - recordedMs < PRECISION_MS) return
    this.#recorded.set(key_id, nowMs)
    this.#pending.set(key_id, now)
    if (this.#pending.size === 1)
      setTimeout(() => void outsideRequest(() => this.#store()), COLLECT_MS).unref()
  }

  async #store(): Promise<void> {
    const uses = [...this.#pending]
    this.#pending = new Map()
    const rows = uses.map(([key_id, used_at]) => ({ key_id, used_at: formatTime(used_at) }))
    await writeKeyUses(this.#deps.db, rows).catch(() => {
      for (const [key_id] of uses) this.#recorded.delete(key_id)
    })
  }
}
