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

const KEY = 'hd_the-key-of-the-admin-of-the-workers-test-000'
const HEADERS = { authorization: basic('api', KEY), connection: 'close' }

/** Each start compiles three processes from source. */
const PATIENCE_MS = 180_000

let directory: string
let server: ServerProcess

async function start(): Promise<ServerProcess> {
  return startServerProcess({
    data: directory,
    adminPassword: 'of no use here',
    apiKey: KEY,
    environment: { HEDDLE_WORKERS: '2', HEDDLE_DURABILITY: 'process' },
  })
}

interface Child {
  readonly pid: number
  readonly command: string
}

/** Children of a process, as the kernel tells: workers, the engine, and the compiler when it runs from source. */
function childrenOf(parent: number): Child[] {
  const text = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return Array.from(text.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)).flatMap(([, pid, ppid, command = '']) =>
    Number(ppid) === parent ? [{ pid: Number(pid), command }] : [],
  )
}

async function enginePid(): Promise<number> {
  const note = JSON.parse(await readFile(join(directory, 'engine.json'), 'utf8')) as { pid: number }
  return note.pid
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

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let n = 0; n < 300; n++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('it did not come to that within 15 s')
}

async function answers(path: string): Promise<string> {
  const answer = await fetch(server.url + path, { headers: HEADERS })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`)
  return text
}

async function startCall(id: string): Promise<number> {
  const body = JSON.stringify({ start: { project_id: 'admin/workers', id, trace_id: id, op_name: 'op' } })
  const answer = await fetch(`${server.url}/call/start`, { method: 'POST', headers: HEADERS, body })
  await answer.text()
  return answer.status
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-workers-'))
  server = await start()
}, PATIENCE_MS)

afterAll(async () => {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
})

describe('several workers behind one port', { timeout: PATIENCE_MS }, () => {
  test('they share the work, and /metrics is the sum over them', async () => {
    const primary = server.process.pid ?? 0
    expect(workersOf(primary)).toHaveLength(2)
    const ids = Array.from({ length: 40 }, (_, n) => `call-${n}`)
    expect(new Set(await Promise.all(ids.map(startCall)))).toEqual(new Set([200]))
    await until(async () =>
      (await answers('/metrics')).includes(
        'heddle_http_requests_total{operation="call_start",status="200"} 40\n',
      ),
    )
    // What was stored through one is read through the other.
    const body = JSON.stringify({ project_id: 'admin/workers' })
    for (let n = 0; n < 4; n++) {
      const answer = await fetch(`${server.url}/calls/query_stats`, {
        method: 'POST',
        headers: HEADERS,
        body,
      })
      expect(await answer.json()).toMatchObject({ count: 40 })
    }
    expect(await answers('/readyz')).toContain('ready')
  })

  test('secrets of the engine are in no command line', async () => {
    const primary = server.process.pid ?? 0
    const { password } = JSON.parse(await readFile(join(directory, 'engine.json'), 'utf8')) as {
      password: string
    }
    const commands = childrenOf(primary).map(({ command }) => command)
    expect(commands.length).toBeGreaterThanOrEqual(3)
    for (const command of commands) expect(command).not.toContain(password)
  })

  test('a worker that dies is started again, and meanwhile the other answers', async () => {
    const primary = server.process.pid ?? 0
    const before = workersOf(primary)
    process.kill(before[0] ?? 0, 'SIGKILL')
    // At once, also while nobody has noticed: a connection that the dead one had may break, but none hangs.
    const answered = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => startCall(`at-a-death-${n}`)),
    )
    expect(answered.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    await until(() => !workersOf(primary).includes(before[0] ?? 0))
    expect(await startCall('after-a-death')).toBe(200)
    await until(() => workersOf(primary).length === 2)
    expect(workersOf(primary)).toContain(before[1])
  })

  test('SIGTERM, also to the workers, finishes what is running and then ends them all', async () => {
    const primary = server.process.pid ?? 0
    const all = [...workersOf(primary), await enginePid()]
    const running = Array.from({ length: 20 }, (_, n) => startCall(`last-${n}`))
    // Whoever stops a group of processes sends the signal to each of them.
    for (const pid of all) process.kill(pid, 'SIGTERM')
    expect(new Set(await Promise.all(running))).toEqual(new Set([200]))
    const ended = once(server.process, 'exit')
    server.process.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(all.filter(isAlive)).toEqual([])
    server = await start()
    const body = JSON.stringify({ project_id: 'admin/workers' })
    const answer = await fetch(`${server.url}/calls/query_stats`, { method: 'POST', headers: HEADERS, body })
    const { count } = (await answer.json()) as { count: number }
    // 40, those around the death of a worker, and 20.
    expect(count).toBeGreaterThanOrEqual(62)
  })

  test('kill -9 of the first process ends the workers and the engine by themselves', async () => {
    const all = [...workersOf(server.process.pid ?? 0), await enginePid()]
    expect(all).toHaveLength(3)
    await server.kill()
    await until(() => !all.some(isAlive))
    server = await start()
    expect(await startCall('after-the-first-was-killed')).toBe(200)
  })

  test('a port in use is said once, and nothing stays behind', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const elsewhere = await mkdtemp(join(tmpdir(), 'heddle-workers-'))
    const logFile = join(elsewhere, 'log')
    try {
      await expect(
        startServerProcess({
          data: elsewhere,
          port,
          adminPassword: 'of no use here',
          apiKey: KEY,
          logFile,
          environment: { HEDDLE_WORKERS: '2' },
        }),
      ).rejects.toThrow('ended before it was ready')
      await until(() => existsSync(logFile))
      const said = await readFile(logFile, 'utf8')
      expect(said.match(/port \d+ is in use/g)).toHaveLength(1)
    } finally {
      taken.close()
      await rm(elsewhere, { recursive: true, force: true })
    }
  })
})
