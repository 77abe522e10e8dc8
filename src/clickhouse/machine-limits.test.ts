import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { totalmem, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configXml, queryMemoryBytes, usersXml } from './config.ts'
import { cpuQuota, limitedCores, limitedMemory, machineLimits } from './machine-limits.ts'

const GIB = 2 ** 30
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heddle-cgroup-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

test('without a memory limit the memory is that of the machine', () => {
  expect(limitedMemory(8 * GIB, undefined)).toBe(8 * GIB)
  expect(limitedMemory(8 * GIB, 0)).toBe(8 * GIB)
  expect(limitedMemory(8 * GIB, 18446744073709552000)).toBe(8 * GIB)
  expect(limitedMemory(8 * GIB, 2 * GIB)).toBe(2 * GIB)
})

test('a fraction of a core counts as a whole one', () => {
  expect(limitedCores(8, undefined)).toBe(8)
  expect(limitedCores(8, 1.5)).toBe(2)
  expect(limitedCores(8, 0.1)).toBe(1)
  expect(limitedCores(2, 16)).toBe(2)
})

describe('the CPU quota', () => {
  test('of a container with cgroups v2 is in its root', () => {
    write('cpu.max', '150000 100000\n')
    expect(cpuQuota(root, '0::/\n')).toBe(1.5)
  })

  test('of a systemd service is the smallest one on the path to the root', () => {
    write('system.slice/cpu.max', '400000 100000\n')
    write('system.slice/heddle.service/cpu.max', 'max 100000\n')
    expect(cpuQuota(root, '0::/system.slice/heddle.service\n')).toBe(4)
    write('system.slice/heddle.service/cpu.max', '200000 100000\n')
    expect(cpuQuota(root, '0::/system.slice/heddle.service\n')).toBe(2)
  })

  test('of a container with cgroups v1 is in its root, though the path is that of the host', () => {
    write('cpu,cpuacct/cpu.cfs_quota_us', '50000\n')
    write('cpu,cpuacct/cpu.cfs_period_us', '100000\n')
    expect(cpuQuota(root, '12:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n0::/docker/abc\n')).toBe(0.5)
    expect(cpuQuota(root, '12:memory:/docker/abc\n')).toBeUndefined()
  })

  test('is undefined without one', () => {
    write('cpu.max', 'max 100000\n')
    write('cpu/cpu.cfs_quota_us', '-1\n')
    write('cpu/cpu.cfs_period_us', '100000\n')
    expect(cpuQuota(root, '1:cpu:/\n0::/\n')).toBeUndefined()
    expect(cpuQuota(join(root, 'absent'), '')).toBeUndefined()
  })
})

test('the limits of this machine are positive and at most what it has', () => {
  const { memoryBytes, cores } = machineLimits()
  expect(memoryBytes).toBeGreaterThan(0)
  expect(memoryBytes).toBeLessThanOrEqual(totalmem())
  expect(cores).toBeGreaterThanOrEqual(1)
})

describe('the configuration of embedded ClickHouse', () => {
  const user = { username: 'heddle', password: 'secret' }
  const config = { httpPort: 1, usersFile: 'users.xml', temporaryPath: 'tmp', user, s3Disks: {} }
  const value = (xml: string, name: string): number => Number(new RegExp(`<${name}>(\\d+)<`).exec(xml)?.[1])

  test('keeps all limits of a container of 2 GB and 8 cores below its memory', () => {
    const limits = { memoryBytes: 2 * GIB, cores: 8 }
    const server = configXml(config, limits)
    const users = usersXml(user, limits)
    const serverBytes = value(server, 'max_server_memory_usage')
    expect(serverBytes).toBe(Math.floor(1.2 * GIB))
    expect(value(users, 'max_memory_usage')).toBe(queryMemoryBytes(limits))
    expect(queryMemoryBytes(limits)).toBeLessThan(serverBytes)
    const caches = [...server.matchAll(/_cache_size>(\d+)</g)].map(([, bytes]) => Number(bytes))
    expect(caches).toHaveLength(6)
    expect(caches.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(serverBytes / 2)
    expect(value(server, 'background_pool_size')).toBe(2)
    expect(value(users, 'max_threads')).toBe(8)
  })

  test('uses the processors of a large machine', () => {
    const limits = { memoryBytes: 64 * GIB, cores: 12 }
    expect(value(configXml(config, limits), 'background_pool_size')).toBe(12)
    expect(value(configXml(config, { ...limits, cores: 64 }), 'background_pool_size')).toBe(16)
    expect(value(configXml(config, { ...limits, cores: 1 }), 'background_pool_size')).toBe(2)
  })
})
