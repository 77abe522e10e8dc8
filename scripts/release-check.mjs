import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/**
 * `npm run build && npm run release:check`: installs the packed tarball in an empty directory, starts `npx heddle serve`
 * from there, writes one call and reads it back.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READY_TIMEOUT_MS = 60_000

const directory = mkdtempSync(join(tmpdir(), 'heddle-release-'))
try {
  const tarball = pack()
  install(tarball)
  const server = await serve()
  try {
    await writeAndRead(server)
  } finally {
    await server.stop()
  }
  console.log(`release check: ok, ${(statSync(tarball).size / 1e6).toFixed(1)} MB`)
} finally {
  rmSync(directory, { recursive: true, force: true })
}

function pack() {
  const output = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', directory], ROOT)
  return join(directory, JSON.parse(output)[0].filename)
}

function install(tarball) {
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n')
  npm(['install', '--no-audit', '--no-fund', tarball], directory)
}

/** Runs npm as a user would: `npm run` exports this checkout's .npmrc, whose strictness is not theirs. */
function npm(args, cwd) {
  const { npm_config_engine_strict: _strict, npm_config_ignore_scripts: _scripts, ...env } = process.env
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Waits for the banner, which has the URL and an API key. */
async function serve() {
  const args = ['--no-install', 'heddle', 'serve', '--port', '0', '--data', join(directory, 'data')]
  // A process group of its own, so that a signal reaches the server and not only npx.
  const child = spawn('npx', args, { cwd: directory, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const { pid } = child
  if (pid === undefined) throw new Error('npx could not be started')
  const exited = once(child, 'exit')
  const timer = setTimeout(() => process.kill(-pid, 'SIGKILL'), READY_TIMEOUT_MS)
  const banner = { url: '', key: '' }
  for await (const line of createInterface({ input: child.stdout })) {
    banner.url ||= /ready at (http\S+)/.exec(line)?.[1] ?? ''
    banner.key ||= /WANDB_API_KEY=(\S+)/.exec(line)?.[1] ?? ''
    if (banner.url !== '' && banner.key !== '') break
  }
  clearTimeout(timer)
  if (banner.key === '') throw new Error(`the server was not ready within ${READY_TIMEOUT_MS / 1000} s`)
  child.stdout.resume()
  const stop = async () => {
    process.kill(-pid, 'SIGTERM')
    await exited
    // npx exits before the server, which still writes to the directory.
    while (isGroupAlive(pid)) await sleep(50)
  }
  return { ...banner, stop }
}

function isGroupAlive(pid) {
  try {
    return process.kill(-pid, 0)
  } catch {
    return false
  }
}

async function writeAndRead({ url, key }) {
  const send = async (path, body) => {
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
  const read = JSON.parse(await send('/call/read', { project_id: call.project_id, id: call.id }))
  if (read.call?.output !== 'yes') throw new Error(`read back ${JSON.stringify(read)}`)
  const page = await send('/')
  if (!page.includes('<div id=')) throw new Error('the package has no web UI; run `npm run build` first')
}
