import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../scripts/external-clickhouse.ts'
import { isResponding } from '../../../src/clickhouse/ping.ts'
import { waitUntil } from '../../wait-until.ts'
import type { OpsContext } from '../suite.ts'
import { ContainerTools } from './container-tools.ts'

/** Builds both images and runs them as docs/deploy/compose.md recommends: read-only, without capabilities, limited. */

const NODE_IMAGE = 'localhost/heddle-test-node'
const IMAGE = 'localhost/heddle-test'
const SLIM_IMAGE = 'localhost/heddle-test-slim'
const CONFINED = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--network=host']
const MEMORY_BYTES = 2 * 2 ** 30
const PROJECT = 'admin/container'
const BURST_PROJECT = 'admin/burst'
const CALLS = 300

interface Server {
  readonly name: string
  readonly url: string
  readonly key: string
}

export async function checkContainers(check: OpsContext['check'], directory: string): Promise<void> {
  const tools = new ContainerTools(directory)
  const secrets = join(directory, 'secrets')
  mkdirSync(secrets)
  const key = randomBytes(32).toString('hex')
  writeFileSync(join(secrets, 'api_key'), `${key}\n`, { mode: 0o644 })

  /** Runs a container on a free port until `/readyz` returns 200. */
  const run = async (name: string, image: string, ...args: string[]): Promise<Server> => {
    const port = await freePort()
    const env = {
      HEDDLE_PORT: String(port),
      HEDDLE_HOST: '127.0.0.1',
      HEDDLE_OTLP_GRPC_PORT: 'off',
      HEDDLE_INIT_API_KEY_FILE: '/run/secrets/api_key',
    }
    const options = ['--detach', '--name', name, ...CONFINED, '--volume', `${secrets}:/run/secrets:ro`]
    tools.podman('run', ...options, ...envArgs(env), ...args, image)
    const url = `http://127.0.0.1:${port}`
    await waitUntil(() => isResponding(`${url}/readyz`), 60_000)
    return { name, url, key }
  }
  const runHeddle = (name: string): Promise<Server> =>
    // Without a tmpfs on /tmp, which podman mounts by default and docker does not.
    run(name, IMAGE, '--read-only-tmpfs=false', `--memory=${MEMORY_BYTES}`, '--volume', 'heddle-data:/data')

  try {
    await check('the images are built', async () => {
      await tools.buildNodeImage(NODE_IMAGE)
      tools.buildHeddle(IMAGE, 'heddle', NODE_IMAGE)
      tools.buildHeddle(SLIM_IMAGE, 'slim', NODE_IMAGE)
      console.log(tools.podman('images', '--format', '{{.Repository}} {{.Size}}'))
    })
    await check('they have labels, a health check and a user that is not root', () => {
      for (const image of [IMAGE, SLIM_IMAGE]) {
        const [{ Labels, User, Healthcheck }] = JSON.parse(tools.podman('image', 'inspect', image)) as [
          ImageConfig,
        ]
        if (Labels['org.opencontainers.image.licenses'] !== 'Apache-2.0')
          throw new Error('labels are missing')
        if (User !== '1000:1000') throw new Error(`the user is ${User}`)
        if (Healthcheck === undefined) throw new Error('there is no health check')
      }
    })
    let written = ''
    await check(
      'a read-only container of 2 GB stores calls, small and large, and stops with code 0',
      async () => {
        const server = await runHeddle('first')
        await writeCalls(server)
        written = await readCalls(server)
        tools.podman('healthcheck', 'run', server.name)
        tools.podman('stop', '--time', '30', server.name)
        const code = tools.podman('inspect', '--format', '{{.State.ExitCode}}', server.name)
        if (code !== '0') throw new Error(`exit code ${code}`)
      },
    )
    const server = await runHeddle('second')
    await check('a new container on the same volume returns the same calls', async () => {
      if ((await readCalls(server)) !== written) throw new Error('the calls differ')
    })
    const clickhouse = JSON.parse(
      tools.podman('exec', server.name, 'cat', '/data/clickhouse.json'),
    ) as ClickHouseRecord
    await check("ClickHouse's memory limits are below that of the container", () =>
      checkMemory(tools, server, clickhouse),
    )
    await check(
      'a burst of 300 MB of calls and a sort of all of them stay within the memory of the container',
      async () => {
        await writeBurst(server)
        await send(server, '/calls/query_stats', { project_id: BURST_PROJECT })
        await send(server, '/calls/stream_query', {
          project_id: BURST_PROJECT,
          sort_by: [{ field: 'inputs.text', direction: 'asc' }],
          limit: 10,
        })
        const state = tools.podman(
          'inspect',
          '--format',
          '{{.State.OOMKilled}} {{.State.Running}}',
          server.name,
        )
        if (state !== 'false true') throw new Error(`out of memory, running: ${state}`)
      },
    )
    await check('the slim image has no embedded ClickHouse and serves an external one', async () => {
      const { name } = await checkSlim(run, clickhouse)
      const files = tools.podman('exec', name, 'ls', 'node_modules')
      if (/chdb|ffi-rs/.test(files)) throw new Error('the image contains chdb')
    })
    await check('a container without a writable directory for temporary files says what to mount', () => {
      const options = ['--name', 'no-tmp', ...CONFINED, '--read-only-tmpfs=false', ...slimArgs(clickhouse)]
      tools.podman('run', '--detach', ...options, SLIM_IMAGE)
      const code = tools.podman('wait', 'no-tmp')
      const log = tools.logs('no-tmp')
      if (code !== '1' || !log.includes('mount a tmpfs')) throw new Error(`exit code ${code}: ${log}`)
    })
  } finally {
    tools.remove()
  }
}

interface ImageConfig {
  readonly Labels: Readonly<Record<string, string>>
  readonly User: string
  readonly Healthcheck?: object
}

/** `clickhouse.json` in the data directory. */
interface ClickHouseRecord {
  readonly url: string
  readonly username: string
  readonly password: string
}

/** The embedded ClickHouse of another container stands in for an external one. */
function slimArgs({ url, username, password }: ClickHouseRecord): string[] {
  return envArgs({
    HEDDLE_CLICKHOUSE_URL: url,
    HEDDLE_CLICKHOUSE_USER: username,
    HEDDLE_CLICKHOUSE_PASSWORD: password,
    HEDDLE_CLICKHOUSE_DATABASE: 'slim',
  })
}

function envArgs(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
}

async function checkSlim(
  run: (name: string, image: string, ...args: string[]) => Promise<Server>,
  clickhouse: ClickHouseRecord,
): Promise<Server> {
  const server = await run('slim', SLIM_IMAGE, '--memory=1g', '--tmpfs=/tmp', ...slimArgs(clickhouse))
  await writeCalls(server)
  await readCalls(server)
  return server
}

async function checkMemory(
  tools: ContainerTools,
  { name }: Server,
  clickhouse: ClickHouseRecord,
): Promise<void> {
  // Of cgroups v2, else v1.
  const script = 'cat /sys/fs/cgroup/memory.max || cat /sys/fs/cgroup/memory/memory.limit_in_bytes'
  const limit = tools.podman('exec', name, 'sh', '-c', script)
  if (Number(limit) !== MEMORY_BYTES) throw new Error(`the memory limit of the container is ${limit}`)
  const response = await fetch(clickhouse.url, {
    method: 'POST',
    headers: { 'x-clickhouse-user': clickhouse.username, 'x-clickhouse-key': clickhouse.password },
    body: `SELECT toUInt64(value), getSetting('max_memory_usage') FROM system.server_settings WHERE name = 'max_server_memory_usage' FORMAT TSV`,
  })
  const [serverBytes = NaN, queryBytes = NaN] = (await response.text()).split('\t').map(Number)
  if (!(serverBytes > 0 && serverBytes < 0.7 * MEMORY_BYTES))
    throw new Error(`max_server_memory_usage is ${serverBytes}`)
  if (!(queryBytes > 0 && queryBytes < serverBytes)) throw new Error(`max_memory_usage is ${queryBytes}`)
}

async function send({ url, key }: Server, path: string, body: object): Promise<string> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`api:${key}`)}` },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}

function completeCall(project_id: string, index: number, text: string): object {
  const startedAtMs = Date.UTC(2026, 0, 1) + index * 1_000
  return {
    project_id,
    id: `call-${index}`,
    trace_id: `trace-${index}`,
    op_name: 'op',
    started_at: new Date(startedAtMs).toISOString(),
    ended_at: new Date(startedAtMs + 500).toISOString(),
    attributes: {},
    inputs: { text },
    output: index,
    summary: {},
  }
}

/** Hexadecimal digits, which compress to half at best. */
const randomText = (): string => randomBytes(8_192).toString('hex')

/** One request is small. The other is executed by the thread for large requests, which needs a temporary directory. */
async function writeCalls(server: Server): Promise<void> {
  const indexes = [...Array(CALLS).keys()]
  const small = indexes.slice(0, 10).map((index) => completeCall(PROJECT, index, 'small'))
  await send(server, `/v2/${PROJECT}/calls/complete`, { batch: small })
  const large = indexes.slice(10).map((index) => completeCall(PROJECT, index, randomText()))
  await send(server, `/v2/${PROJECT}/calls/complete`, { batch: large })
}

/** 192 requests of 1.6 MB, 16 at a time. */
async function writeBurst(server: Server): Promise<void> {
  const requests = [...Array(192).keys()].values()
  const sendRequests = async (): Promise<void> => {
    for (const request of requests) {
      const indexes = [...Array(100).keys()].map((index) => request * 100 + index)
      const batch = indexes.map((index) => completeCall(BURST_PROJECT, index, randomText()))
      await send(server, `/v2/${BURST_PROJECT}/calls/complete`, { batch })
    }
  }
  await Promise.all(Array.from({ length: 16 }, sendRequests))
}

async function readCalls(server: Server): Promise<string> {
  const text = await send(server, '/calls/stream_query', { project_id: PROJECT, limit: 1_000 })
  const count = text.trimEnd().split('\n').length
  if (count !== CALLS) throw new Error(`there are ${count} calls, not ${CALLS}`)
  return text
}
