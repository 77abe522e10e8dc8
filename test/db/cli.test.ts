import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic } from '../harness.ts'
import { type CliResult, runCli } from '../run-cli.ts'
import { assertsDuration } from '../duration.ts'
import { firstStartInTerminal } from '../terminal.ts'

/** The CLI against a running server with the embedded ClickHouse. */
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

let data = ''
let server: Running

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'heddle-cli-'))
  server = await serve()
})

afterAll(async () => {
  await server.end('SIGTERM')
  await rm(data, { recursive: true, force: true })
})

interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Running {
  readonly url: string
  readonly key: string
  readonly text: string
  end(signal: NodeJS.Signals): Promise<Outcome>
}

const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HEDDLE_')))

async function serve(): Promise<Running> {
  const args = ['--import', 'tsx', MAIN, 'serve', '--data', data, '--port', '0']
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  let stderr = ''
  let ended: Outcome | undefined
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const outcome = new Promise<Outcome>((resolve) => {
    child.once('close', (code) => resolve((ended = { code, stdout: text, stderr })))
  })
  while (!text.includes('New API key:')) {
    if (ended !== undefined) throw new Error(ended.stderr)
    await new Promise((wait) => setTimeout(wait, 25))
  }
  const { key } = JSON.parse(await readFile(join(data, 'credentials'), 'utf8')) as { key: string }
  return {
    url: /ready at (\S+)/.exec(text)?.[1] ?? '',
    key,
    text,
    end: (signal) => {
      child.kill(signal)
      return outcome
    },
  }
}

const command = (args: readonly string[], input = '', environment = env): Promise<CliResult> =>
  runCli(args, { env: environment, input })

const heddle = (...args: string[]) => command([...args, '--data', data])

async function read(authorization: string, project_id: string): Promise<number> {
  const body = JSON.stringify({ project_id, id: 'none' })
  return (await fetch(`${server.url}/call/read`, { method: 'POST', headers: { authorization }, body })).status
}

/** A server reloads credentials within 5 s when it does not know a caller. */
async function expectEventually(status: number, authorization: string, project_id: string): Promise<void> {
  const deadline = Date.now() + 10_000
  while ((await read(authorization, project_id)) !== status && Date.now() < deadline) {
    await new Promise((wait) => setTimeout(wait, 200))
  }
  expect(await read(authorization, project_id)).toBe(status)
}

test('a start that does not print to a terminal says where the credentials are, and shows none', async () => {
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(server.key.length).toBeGreaterThanOrEqual(40)
  expect(server.text).toContain(`API key:       in ${join(data, 'credentials')}`)
  expect(server.text).toMatch(/Sign in: .* users link admin --data /)
  expect(server.text).toMatch(/Set password: .* users password admin --data /)
  for (const secret of ['hd_', 'sign-in#code=', 'has the password']) expect(server.text).not.toContain(secret)
  expect(await read(basic('api', server.key), 'admin/demo')).toBe(200)
})

test('the first start on a terminal prints a link, a password and shell lines to paste, all of which work', async () => {
  const directory = `${data}-terminal`
  const command = [process.execPath, '--import', 'tsx', MAIN, 'serve', '--data', directory, '--port', '0']
  const terminal = await firstStartInTerminal(command, directory, env)
  const { text } = terminal
  try {
    const url = /^Open (\S+)\/sign-in#code=[\w-]{32}$/m.exec(text)?.[1] ?? ''
    for (const part of [
      `export WANDB_BASE_URL=${url}`,
      'export WANDB_ENTITY=admin',
      `export WF_TRACE_SERVER_URL=${url}/traces`,
      'curl -u "api:$WANDB_API_KEY"',
    ])
      expect(text).toContain(part)
    const key = /WANDB_API_KEY=(\S+)/.exec(text)?.[1] ?? ''
    const password = /has the password (\S+)/.exec(text)?.[1] ?? ''
    const body = JSON.stringify({ project_id: 'admin/demo' })
    for (const authorization of [basic('api', key), basic('admin', password)])
      expect(
        (await fetch(`${url}/calls/query_stats`, { method: 'POST', headers: { authorization }, body }))
          .status,
      ).toBe(200)
  } finally {
    await terminal.stop()
    await rm(directory, { recursive: true, force: true })
  }
})

test('a sign-in link works once', async () => {
  const link = await heddle('users', 'link', 'admin')
  const code = /^(\S+)\/sign-in#code=([\w-]{32})$/m.exec(link.stdout)
  expect(code?.[1]).toBe(server.url)
  const signIn = () =>
    fetch(`${server.url}/api/v1/session`, { method: 'POST', body: JSON.stringify({ code: code?.[2] }) })
  const first = await signIn()
  expect([first.status, await first.json()]).toEqual([
    200,
    expect.objectContaining({ username: 'admin', is_server_admin: true }),
  ])
  expect((await signIn()).status).toBe(401)
  const { stdout } = await heddle('keys', 'list')
  expect(stdout).toMatch(/admin +session/)
  expect(stdout).not.toContain(' code ')
})

test('users, API keys and roles are managed while the server runs', async () => {
  const created = await command(
    ['users', 'create', 'ann', '--password-stdin', '--data', data],
    'annes password\n',
  )
  expect(created).toMatchObject({ code: 0, stdout: '' })
  const { stdout: key } = await heddle('keys', 'create', '--user', 'ann', '--name', 'laptop')
  expect(key).toMatch(/^hd_\S{43}\n$/)
  const authorization = basic('api', key.trim())
  await expectEventually(200, authorization, 'ann/p')
  expect(await read(authorization, 'org/p')).toBe(403)
  expect(await heddle('projects', 'grant', 'org', 'ann', 'read')).toMatchObject({ code: 0 })
  await expectEventually(200, authorization, 'org/p')
  expect(JSON.parse((await heddle('projects', 'members', '--json')).stdout)).toEqual([
    { username: 'ann', scope: 'org', role: 'read' },
  ])
  const users = JSON.parse((await heddle('users', 'list', '--json')).stdout) as object[]
  expect(users).toMatchObject([
    { username: 'admin', is_server_admin: true },
    { username: 'ann', is_server_admin: false, has_password: true },
  ])
  const [listed] = JSON.parse((await heddle('keys', 'list', '--user', 'ann', '--json')).stdout) as {
    key_id: string
  }[]
  expect(listed).toMatchObject({ username: 'ann', name: 'laptop' })
  expect(JSON.stringify([users, listed])).not.toMatch(/hash|scrypt/)
  expect(await heddle('keys', 'revoke', listed?.key_id ?? '')).toMatchObject({ code: 0 })
  expect((await heddle('keys', 'list', '--user', 'ann', '--json')).stdout).toBe('[]\n')
})

test('a second server on the data directory exits with a message and changes nothing', async () => {
  const contents = async (): Promise<string[]> => {
    const names = (await readdir(data)).toSorted()
    return Promise.all(
      names.map(async (name) => {
        const { mode, mtimeMs } = await stat(join(data, name))
        return `${name} ${mode.toString(8)} ${mtimeMs} ${await readFile(join(data, name), 'utf8').catch(() => '')}`
      }),
    )
  }
  const before = await contents()
  await expect(serve()).rejects.toThrow(/another Heddle server uses this data directory/)
  expect(await contents()).toEqual(before)
  expect(await read(basic('api', server.key), 'admin/demo')).toBe(200)
  expect((await heddle('users', 'list')).code).toBe(0)
  for (const path of ['', 'clickhouse', 'credentials', 'clickhouse.json'])
    expect([path, (await stat(join(data, path))).mode & 0o077]).toEqual([path, 0])
})

test('demo data is written into the running server, once', async () => {
  const demo = () => heddle('demo', '--to', server.url)
  const environment = { ...env, HEDDLE_DEMO_KEY: server.key }
  const first = await command(['demo', '--to', server.url], '', environment)
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^added example data to admin\/demo: \d+ calls/),
  })
  const again = await command(['demo', '--to', server.url, '--json'], '', environment)
  expect(JSON.parse(again.stdout)).toMatchObject({ project_id: 'admin/demo', is_new: false })
  expect((await demo()).stderr).toMatch(/set HEDDLE_DEMO_KEY/)
  // The data directory has the port and the key of its server.
  const found = await heddle('demo')
  expect(found).toMatchObject({ code: 0, stderr: '' })
  expect(found.stdout).toContain(`\nOpen ${server.url}/admin/demo/weave\n`)
})

test('demo fails within seconds without a server, and says what to do', async () => {
  const other = await mkdtemp(join(tmpdir(), 'heddle-cli-demo-'))
  const environment = { ...env, HEDDLE_DEMO_KEY: server.key }
  const startMs = performance.now()
  try {
    // No server has run here, and the default port is another one's or nobody's.
    const none = await command(['demo', '--data', other], '', { ...environment, HEDDLE_PORT: '1' })
    expect(none.code).toBe(1)
    expect(none.stderr).toMatch(/no server is running on the data directory .*serve --data /)
    // A server that was killed left its record.
    await writeFile(join(other, 'server.json'), JSON.stringify({ url: 'http://127.0.0.1:1', pid: 1 }))
    expect((await command(['demo', '--data', other], '', environment)).stderr).toMatch(
      /tried http:\/\/127\.0\.0\.1:1\)/,
    )
    const wrong = await command(['demo', '--to', 'http://127.0.0.1:1'], '', environment)
    expect(wrong.stderr).toMatch(/no server responds at http:\/\/127\.0\.0\.1:1; check the URL/)
    expect(performance.now() - startMs).toBeLessThan(10_000)
  } finally {
    await rm(other, { recursive: true, force: true })
  }
})

test('invalid usage exits with 2, a failure with 1, each with a one-line message and no stack', async () => {
  const cases: [string[], number, RegExp][] = [
    [['frobnicate'], 2, /unknown command "frobnicate --data"; see `.+ help`/],
    [['users', 'create'], 2, /missing argument <username>; usage: .+ users create/],
    [['users', 'list', '--bogus'], 2, /bogus/],
    [['projects', 'grant', 'org', 'ann', 'owner'], 2, /the role must be read, write, admin/],
    [['users', 'create', 'api'], 1, /is not a valid username/],
    [['keys', 'create', '--user', 'nobody'], 1, /there is no user "nobody"/],
    [['retention', 'set', 'org/nosuch', '--calls-age', '30d'], 1, /there is no project org\/nosuch/],
  ]
  const outcomes = await Promise.all(cases.map(([args]) => heddle(...args)))
  outcomes.forEach((outcome, i) => {
    expect(outcome.code).toBe(cases[i]?.[1])
    expect(outcome.stderr).toMatch(cases[i]?.[2] ?? /never/)
    expect(outcome.stderr.trim().split('\n')).toHaveLength(1)
  })
  const help = await command(['help'])
  expect(help.code).toBe(0)
  expect(help.stdout).toContain('heddle keys revoke <key_id>')
  expect((await command(['version'])).stdout).toMatch(/^heddle \d+\.\d+\.\d+/)
})

test(
  'SIGTERM stops the server within seconds; the next start keeps data and key, and prints no password',
  assertsDuration,
  async () => {
    const startedAt = Date.now()
    const ended = await server.end('SIGTERM')
    expect(ended.code).toBe(0)
    expect(Date.now() - startedAt).toBeLessThan(5_000)
    // No ClickHouse is running now: the command starts one itself.
    expect((await heddle('users', 'list')).stdout).toContain('ann')
    const { key } = server
    server = await serve()
    expect(server.key).toBe(key)
    expect(server.text).not.toContain('has the password')
    expect(server.text).toMatch(/users link admin/)
    expect(server.text).not.toContain('Set password')
    expect(await read(basic('api', key), 'admin/demo')).toBe(200)
    expect(await read(basic('ann', 'annes password'), 'ann/p')).toBe(200)
  },
)

test('the server exits with 1 when the embedded ClickHouse dies, so that a supervisor restarts it', async () => {
  const { pid } = JSON.parse(await readFile(join(data, 'clickhouse.json'), 'utf8')) as { pid: number }
  process.kill(pid, 'SIGKILL')
  const ended = await server.end('SIGCONT')
  expect(ended.code).toBe(1)
  expect(ended.stderr).toContain('embedded ClickHouse crashed')
})
