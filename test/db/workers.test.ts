import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic } from '../harness.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import { waitUntil } from '../wait-until.ts'

const KEY = 'hd_the-key-of-the-admin-of-the-workers-test-000'
const HEADERS = { authorization: basic('api', KEY), connection: 'close' }

/** Generous: each start compiles three processes from source. */
const TIMEOUT_MS = 180_000

let directory: string
let server: ServerProcess

async function start(): Promise<ServerProcess> {
  return startServerProcess({
    data: directory,
    adminPassword: 'not used in this test',
    apiKey: KEY,
    environment: { HEDDLE_WORKERS: '2' },
  })
}

interface Child {
  readonly pid: number
  readonly command: string
}

/** Child processes according to ps: workers, ClickHouse, and the compiler when running from source. */
function childrenOf(parent: number): Child[] {
  const text = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return Array.from(text.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)).flatMap(([, pid, ppid, command = '']) =>
    Number(ppid) === parent ? [{ pid: Number(pid), command }] : [],
  )
}

async function clickhousePid(): Promise<number> {
  const state = JSON.parse(await readFile(join(directory, 'clickhouse.json'), 'utf8')) as { pid: number }
  return state.pid
}

function workersOf(primary: number): number[] {
  return childrenOf(primary).flatMap(({ pid, command }) => (/ serve\b/.test(command) ? [pid] : []))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/\bZ\b/.test(execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }))
  } catch {
    return false
  }
}

async function getText(path: string): Promise<string> {
  const response = await fetch(server.url + path, { headers: HEADERS })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${text}`)
  return text
}

async function startCall(id: string): Promise<number> {
  const body = JSON.stringify({ start: { project_id: 'admin/workers', id, trace_id: id, op_name: 'op' } })
  const response = await fetch(`${server.url}/call/start`, { method: 'POST', headers: HEADERS, body })
  await response.text()
  return response.status
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-workers-'))
  server = await start()
}, TIMEOUT_MS)

afterAll(async () => {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
})

describe('several workers on one port', { timeout: TIMEOUT_MS }, () => {
  test('the workers share the requests, and /metrics is the sum of all workers', async () => {
    const primary = server.process.pid ?? 0
    expect(workersOf(primary)).toHaveLength(2)
    const ids = Array.from({ length: 40 }, (_, n) => `call-${n}`)
    expect(new Set(await Promise.all(ids.map(startCall)))).toEqual(new Set([200]))
    await waitUntil(async () =>
      (await getText('/metrics')).includes(
        'heddle_http_requests_total{operation="call_start",status="200"} 40\n',
      ),
    )
    // A call written through one worker is read through the other.
    const body = JSON.stringify({ project_id: 'admin/workers' })
    for (let n = 0; n < 4; n++) {
      const response = await fetch(`${server.url}/calls/query_stats`, {
        method: 'POST',
        headers: HEADERS,
        body,
      })
      expect(await response.json()).toMatchObject({ count: 40 })
    }
    expect(await getText('/readyz')).toContain('ready')
  })

  test('no command line contains the ClickHouse password', async () => {
    const primary = server.process.pid ?? 0
    const { password } = JSON.parse(await readFile(join(directory, 'clickhouse.json'), 'utf8')) as {
      password: string
    }
    const commands = childrenOf(primary).map(({ command }) => command)
    expect(commands.length).toBeGreaterThanOrEqual(3)
    for (const command of commands) expect(command).not.toContain(password)
  })

  test('a killed worker is restarted, and until then the other one responds', async () => {
    const primary = server.process.pid ?? 0
    const before = workersOf(primary)
    process.kill(before[0] ?? 0, 'SIGKILL')
    // Immediately after the kill, connections of the dead worker may break, but none may hang.
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => startCall(`during-kill-${n}`)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    await waitUntil(() => !workersOf(primary).includes(before[0] ?? 0))
    expect(await startCall('after-kill')).toBe(200)
    await waitUntil(() => workersOf(primary).length === 2)
    expect(workersOf(primary)).toContain(before[1])
  })

  test('SIGTERM, also to the workers, finishes requests in progress and then stops all processes', async () => {
    const primary = server.process.pid ?? 0
    const all = [...workersOf(primary), await clickhousePid()]
    const running = Array.from({ length: 20 }, (_, n) => startCall(`last-${n}`))
    // Stopping a process group sends the signal to each process.
    for (const pid of all) process.kill(pid, 'SIGTERM')
    expect(new Set(await Promise.all(running))).toEqual(new Set([200]))
    const ended = once(server.process, 'exit')
    server.process.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(all.filter(isAlive)).toEqual([])
    server = await start()
    const body = JSON.stringify({ project_id: 'admin/workers' })
    const response = await fetch(`${server.url}/calls/query_stats`, {
      method: 'POST',
      headers: HEADERS,
      body,
    })
    const { count } = (await response.json()) as { count: number }
    // 40, at least two around the kill of a worker, and 20.
    expect(count).toBeGreaterThanOrEqual(62)
  })

  test('after kill -9 of the primary process the workers and ClickHouse exit too', async () => {
    const all = [...workersOf(server.process.pid ?? 0), await clickhousePid()]
    expect(all).toHaveLength(3)
    await server.kill()
    await waitUntil(() => !all.some(isAlive))
    server = await start()
    expect(await startCall('after-primary-kill')).toBe(200)
  })

  test('a port in use is reported once, and no process is left', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const otherDirectory = await mkdtemp(join(tmpdir(), 'heddle-workers-'))
    const logFile = join(otherDirectory, 'log')
    try {
      await expect(
        startServerProcess({
          data: otherDirectory,
          port,
          adminPassword: 'not used in this test',
          apiKey: KEY,
          logFile,
          environment: { HEDDLE_WORKERS: '2' },
        }),
      ).rejects.toThrow('exited before it was ready')
      await waitUntil(() => existsSync(logFile))
      const log = await readFile(logFile, 'utf8')
      expect(log.match(/port \d+ is in use/g)).toHaveLength(1)
    } finally {
      taken.close()
      await rm(otherDirectory, { recursive: true, force: true })
    }
  })
})
