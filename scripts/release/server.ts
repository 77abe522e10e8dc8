import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** The installed package as a running server. */
const READY_TIMEOUT_MS = 60_000

export interface InstalledServer {
  readonly url: string
  readonly key: string
  readonly stop: () => Promise<void>
}

/** Waits for the banner, which has the URL. The data directory has an API key. */
export async function serve(directory: string, data: string): Promise<InstalledServer> {
  const args = ['--no-install', 'heddle', 'serve', '--port', '0', '--data', data]
  // A process group of its own, so that a signal reaches the server and not only npx.
  const child = spawn('npx', args, { cwd: directory, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const { pid } = child
  if (pid === undefined) throw new Error('npx could not be started')
  const exited = once(child, 'exit')
  const timer = setTimeout(() => process.kill(-pid, 'SIGKILL'), READY_TIMEOUT_MS)
  let url: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    url = /ready at (http\S+)/.exec(line)?.[1]
    if (url !== undefined) break
  }
  clearTimeout(timer)
  if (url === undefined) throw new Error(`the server was not ready within ${READY_TIMEOUT_MS / 1000} s`)
  child.stdout.resume()
  const { key } = JSON.parse(readFileSync(join(data, 'credentials'), 'utf8')) as { key: string }
  const stop = async (): Promise<void> => {
    process.kill(-pid, 'SIGTERM')
    await exited
    // npx exits before the server, which still writes to the directory.
    while (isGroupAlive(pid)) await sleep(50)
  }
  return { url, key, stop }
}

function isGroupAlive(pid: number): boolean {
  try {
    return process.kill(-pid, 0)
  } catch {
    return false
  }
}

export async function writeAndRead({ url, key }: InstalledServer): Promise<void> {
  const send = async (path: string, body?: unknown): Promise<string> => {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Basic ${btoa(`api:${key}`)}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.text()
  }
  await send('/readyz')
  const time = '2026-01-01T00:00:00.000000Z'
  const call = { project_id: 'admin/release', id: 'call-1', trace_id: 'trace-1', op_name: 'op' }
  const times = { started_at: time, ended_at: time }
  const payloads = { attributes: {}, inputs: { question: 'ready?' }, output: 'yes', summary: {} }
  await send('/v2/admin/release/calls/complete', { batch: [{ ...call, ...times, ...payloads }] })
  const read = JSON.parse(await send('/call/read', { project_id: call.project_id, id: call.id })) as {
    call?: { output?: unknown }
  }
  if (read.call?.output !== 'yes') throw new Error(`read back ${JSON.stringify(read)}`)
  const page = await send('/')
  if (!page.includes('<div id=')) throw new Error('the package has no web UI; run `npm run build` first')
  const licenses = await send('/licenses.txt')
  for (const name of ['react', '@mantine/core', 'comlink', 'uplot', '@fontsource-variable/inter'])
    if (!licenses.includes(`=== ${name}@`)) throw new Error(`/licenses.txt has no license of ${name}`)
}
