import { machineLimits } from '../../clickhouse/machine-limits.ts'
import { readMachineMemory, readMemoryLimit } from '../../store/database/server-state.ts'
import { clickhouseCheck, ok, problem, skipped } from './check.ts'
import { formatBytes } from './disk.ts'

/** The kernel kills a process that exceeds its cgroup, so ClickHouse must stop before. */
const MAX_FRACTION = 0.95

export const memoryCheck = clickhouseCheck('memory', async ({ clickhouse, isEmbedded }) => {
  const limitBytes = await readMemoryLimit(clickhouse)
  // Embedded ClickHouse runs in the container of this command; an external one reports its own machine.
  const available = isEmbedded ? machineLimits().memoryBytes : await readMachineMemory(clickhouse)
  if (limitBytes === undefined || available === undefined)
    return [skipped('ClickHouse does not report its memory limit')]
  const message = `ClickHouse may use ${formatBytes(limitBytes)} of ${formatBytes(available)}`
  if (limitBytes <= available * MAX_FRACTION) return [ok(message)]
  return [
    problem(
      message,
      isEmbedded
        ? 'restart Heddle, which derives the limit from the container; the container was changed since'
        : 'lower max_server_memory_usage or max_server_memory_usage_to_ram_ratio of ClickHouse, or give it more memory',
    ),
  ]
})
