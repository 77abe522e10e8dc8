import type { Logger } from 'pino'
import { isCluster } from '../store/cluster/cluster-database.ts'
import type { Database } from '../store/database/database.ts'
import { type DetachedPart, isLost, listDetachedParts, partName } from '../store/database/detached-parts.ts'
import { readResponding, replicatedHosts } from '../store/database/every-server.ts'

/**
 * Detects lost data. ClickHouse detaches a part that it cannot load and starts without its rows, so a server is not ready
 * while there is such a part, unless the setting allows it.
 */

/** How many parts a message names. */
const MAX_NAMED_PARTS = 5

/** Readiness is probed every few seconds; ClickHouse detaches broken parts when it starts. */
const RECHECK_MS = 60_000

const REMEDY =
  'see docs/operations/lost-data.md: restore a backup, or accept the loss with `heddle parts drop` or HEDDLE_ALLOW_DETACHED_PARTS'

/** Undefined if no data is lost, or the loss is allowed. */
async function findLoss(db: Database, allowed: string | undefined): Promise<string | undefined> {
  const names = new Set(allowed?.split(',').map((name) => name.trim()))
  if (names.has('all')) return undefined
  const lost = (await listLostParts(db)).filter((part) => !names.has(partName(part)))
  return lost.length === 0 ? undefined : `${describe(lost)}; ${REMEDY}`
}

/** ClickHouse fetches the rows of a part that one replica cannot load from another. */
async function listLostParts(db: Database): Promise<DetachedPart[]> {
  const replicated = replicatedHosts(isCluster(db) ? db.cluster.topology : undefined)
  const parts = await readResponding(db, listDetachedParts)
  return parts.filter((part) => isLost(part) && !replicated.has(part.server ?? ''))
}

function describe(lost: readonly DetachedPart[]): string {
  const named = lost.slice(0, MAX_NAMED_PARTS).map(partName)
  const more = lost.length > named.length ? ` and ${lost.length - named.length} more` : ''
  return `data is missing: ClickHouse could not load ${lost.length === 1 ? 'a part' : `${lost.length} parts`} and detached ${lost.length === 1 ? 'it' : 'them'} (${named.join(', ')}${more})`
}

/** Logs what is lost when a server starts, also if it is allowed. */
export async function reportLostParts(db: Database, allowed: string | undefined, log: Logger): Promise<void> {
  try {
    const unaccepted = await findLoss(db, allowed)
    if (unaccepted !== undefined) return log.error(unaccepted)
    const lost = await listLostParts(db)
    if (lost.length > 0) log.warn(`${describe(lost)}; HEDDLE_ALLOW_DETACHED_PARTS accepts the loss`)
  } catch (error) {
    log.warn(
      { err: error },
      'the detached parts of ClickHouse cannot be read, so lost data is not detected; grant SELECT ON system.detached_parts',
    )
  }
}

/** The reason why a server is not ready, read again while there is one, so that it becomes ready without a restart. */
export function lostPartsProbe(
  db: Database,
  allowed: string | undefined,
  nowMs: () => number = () => performance.now(),
): () => Promise<string | undefined> {
  let foundNoneAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (nowMs() - foundNoneAt < RECHECK_MS) return undefined
    // Reported at start. A server that cannot read the list is as ready as one that does not look.
    const loss = await findLoss(db, allowed).catch(() => undefined)
    if (loss === undefined) foundNoneAt = nowMs()
    return loss
  }
}
