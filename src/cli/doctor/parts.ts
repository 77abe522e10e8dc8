import { isLost, listDetachedParts, partName } from '../../store/database/detached-parts.ts'
import { replicatedHosts } from '../../store/database/every-server.ts'
import { listTableParts } from '../../store/database/server-state.ts'
import { databaseCheck, ok, problem, warning } from './check.ts'

/** Parts of the tables: too many of them, and those that ClickHouse does not read. */

/** ClickHouse delays inserts from 1,000 parts in a partition, and rejects them from 3,000. Usual are some dozens. */
const TOO_MANY_PARTS = 300

export const partsCheck = databaseCheck('parts', async (db) => {
  const tables = await listTableParts(db)
  const crowded = tables.filter(({ max_parts_per_partition: parts }) => parts >= TOO_MANY_PARTS)
  if (crowded.length === 0) {
    const parts = tables.reduce((sum, table) => sum + table.parts, 0)
    return [ok(`${parts} active parts in ${tables.length} tables`)]
  }
  return crowded.map(({ table, max_parts_per_partition: parts }) =>
    problem(
      `the table ${table} has ${parts} parts in one partition: merges do not keep up`,
      'check that merges run (SYSTEM START MERGES), and give ClickHouse more CPU and disk throughput',
    ),
  )
})

export const detachedPartsCheck = databaseCheck(
  'detached parts',
  async (db, { settings, storage }, server) => {
    const parts = (await listDetachedParts(db)).map((part) => ({ ...part, server }))
    if (parts.length === 0) return [ok('no detached parts')]
    const allowed = new Set(settings.allowDetachedParts?.split(',').map((name) => name.trim()))
    const topology = 'reason' in storage ? undefined : storage.topology
    const isReplicated = replicatedHosts(topology).has(server ?? '')
    const isAllowed = (name: string): boolean => allowed.has('all') || allowed.has(name)
    return parts.map((part) => {
      const name = partName(part)
      if (isLost(part) && !isReplicated && !isAllowed(name))
        return problem(
          `data is missing: ClickHouse could not load the part ${name} (${part.reason})`,
          'restore a backup, or accept the loss with `heddle parts drop`; see docs/operations/lost-data.md',
        )
      return warning(
        `the part ${name} is detached and only takes up space`,
        'look at it with `heddle parts list`, then remove it with `heddle parts drop`',
      )
    })
  },
)
