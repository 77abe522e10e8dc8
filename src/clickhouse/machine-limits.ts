import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'

/** What this process may use of the machine: all of it, or what its container or service (cgroup) is limited to. */
export interface MachineLimits {
  readonly memoryBytes: number
  /** At least 1. A fraction of a core counts as a whole one. */
  readonly cores: number
}

export function machineLimits(): MachineLimits {
  return {
    memoryBytes: limitedMemory(totalmem(), process.constrainedMemory()),
    cores: limitedCores(
      availableParallelism(),
      cpuQuota('/sys/fs/cgroup', readText('/proc/self/cgroup') ?? ''),
    ),
  }
}

/**
 * `constrainedBytes` is what Node reports: without a limit it is 0, undefined or, with cgroups v1, a number larger than
 * any memory.
 */
export function limitedMemory(totalBytes: number, constrainedBytes: number | undefined): number {
  return constrainedBytes !== undefined && constrainedBytes > 0
    ? Math.min(totalBytes, constrainedBytes)
    : totalBytes
}

export function limitedCores(available: number, quota: number | undefined): number {
  return Math.max(1, Math.min(available, Math.ceil(quota ?? available)))
}

/**
 * The smallest CPU quota, in cores, of the cgroup of this process and of those that contain it; undefined if none has
 * one. Node 20 ignores quotas. `membership` is the content of `/proc/self/cgroup`. A container may see the path of its
 * cgroup on the host while its own cgroup is mounted at `root`, so missing directories are skipped.
 */
export function cpuQuota(root: string, membership: string): number | undefined {
  const quotas = membership.split('\n').flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []
    if (controllers === undefined || path === undefined) return []
    if (controllers === '') return withParents(root, path).map(quotaV2)
    if (!controllers.split(',').includes('cpu')) return []
    return [join(root, 'cpu'), join(root, controllers)].flatMap((mount) =>
      withParents(mount, path).map(quotaV1),
    )
  })
  const cores = quotas.filter((quota) => quota !== undefined)
  return cores.length === 0 ? undefined : Math.min(...cores)
}

/** The directory of a cgroup and of each that contains it. */
function withParents(mount: string, path: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '..')
  return [...names.keys(), names.length].map((count) => join(mount, ...names.slice(0, count)))
}

/** The content is `QUOTA PERIOD` in microseconds, or `max PERIOD`. */
function quotaV2(directory: string): number | undefined {
  const [quota, period] = readText(join(directory, 'cpu.max'))?.trim().split(' ') ?? []
  return ratio(quota, period)
}

/** Without a quota it is -1. */
function quotaV1(directory: string): number | undefined {
  return ratio(readText(join(directory, 'cpu.cfs_quota_us')), readText(join(directory, 'cpu.cfs_period_us')))
}

function ratio(quota: string | undefined, period: string | undefined): number | undefined {
  const cores = Number(quota) / Number(period)
  return Number.isFinite(cores) && cores > 0 ? cores : undefined
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
