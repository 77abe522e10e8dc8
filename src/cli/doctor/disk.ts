import { listDisks } from '../../store/database/server-state.ts'
import { clickhouseCheck, type Finding, ok, problem, warning } from './check.ts'

/** Free space of the disks of ClickHouse. A merge needs as much as the parts that it merges. */

const WARNING_FREE = 0.2
const PROBLEM_FREE = 0.1

export const diskCheck = clickhouseCheck('disk', async ({ clickhouse }) =>
  (await listDisks(clickhouse)).map(({ name, free_bytes, total_bytes }): Finding => {
    const free = free_bytes / total_bytes
    const message = `disk ${name}: ${formatBytes(free_bytes)} of ${formatBytes(total_bytes)} free (${Math.floor(free * 100)} %)`
    const remedy = 'enlarge the disk, or set or shorten the retention; a full disk rejects writes with 503'
    if (free < PROBLEM_FREE) return problem(message, remedy)
    return free < WARNING_FREE ? warning(message, remedy) : ok(message)
  }),
)

export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const value = bytes / 1024 ** power
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
