import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { type Heddle, startHeddle, type StartOptions } from '../src/app/heddle.ts'
import { readSettings, type Settings } from '../src/app/settings.ts'
import type { Right } from '../src/contract/operation.ts'
import { grantRole } from '../src/service/access/member-admin.ts'
import { createKey } from '../src/service/access/keys.ts'
import { createUser } from '../src/service/access/users.ts'
import { clusterDatabaseName } from '../src/store/cluster/cluster-names.ts'
import type { DatabaseSettings } from '../src/store/database/database.ts'
import { checkDocumentedStatus } from './documented-status.ts'

/** A Heddle server for one test file, with a new database in the ClickHouse that scripts/test-db.ts started. */
export interface TestServer {
  readonly heddle: Heddle
  readonly url: string
  readonly project_id: string
  /** The Authorization header of the admin. */
  readonly authorization: string
  /** Sends a POST as the admin and parses the response. Any status but 200 throws, with the body in the message. */
  post<T = Record<string, unknown>>(path: string, body: unknown): Promise<T>
  /** Sends any request and returns the response unparsed. A string or Buffer body is sent as is. */
  send(path: string, body?: unknown, init?: RequestInit): Promise<TestResponse>
  /** `server.as(basic('alice', 'secret'))('/call/read', {…})`: like `send`, with other credentials. */
  as(authorization: string): TestServer['send']
  /**
   * Creates a user with these roles (`{ acme: 'read', 'acme/demo': 'write' }`); returns the Authorization header of
   * an API key of that user.
   */
  user(username: string, roles?: Readonly<Record<string, Right>>): Promise<string>
  stop(): Promise<void>
}

export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, unknown>
}

const ADMIN_KEY = 'hd_the-key-of-the-admin-of-every-test-server-0'

export function testSettings(flags: Partial<Settings> = {}): Settings {
  return readSettings(process.env, {
    port: 0,
    // Test servers run side by side. Tests of OTLP/gRPC set it to 0, which is any free port.
    otlpGrpcPort: 'off',
    clickhouseUrl: process.env['HEDDLE_TEST_CLICKHOUSE_URL'] ?? missing(),
    // With `npm run test:db -- --cluster`.
    cluster: process.env['HEDDLE_TEST_CLUSTER'],
    clickhouseUser: process.env['HEDDLE_TEST_CLICKHOUSE_USER'] ?? 'default',
    clickhousePassword: process.env['HEDDLE_TEST_CLICKHOUSE_PASSWORD'] ?? '',
    clickhouseDatabase: `test_${randomBytes(6).toString('hex')}`,
    logLevel: process.env['HEDDLE_TEST_LOG'] ?? 'silent',
    // No test cuts the power, and with fsync each new database would wait for the disk a hundred times.
    durability: 'process',
    // Long enough to see that requests are refused.
    projectDeletionDelayMs: 300,
    // Every test server has a user `admin` with this key; hashing a password would take 0.3 s per server.
    initApiKey: ADMIN_KEY,
    secretKey: 'the-key-of-the-secrets-of-every-test-server',
    // A test with a ClickHouse or proxy of its own uses only that.
    ...('clickhouseUrl' in flags ? { cluster: undefined } : {}),
    ...flags,
  })
}

/** How tests connect to the database of these settings without a server. */
export function testDatabase(settings: Settings): DatabaseSettings {
  return {
    url: settings.clickhouseUrl ?? '',
    username: settings.clickhouseUser,
    password: settings.clickhousePassword,
    database: settings.clickhouseDatabase,
    retryWindowMs: 1_000,
    durability: 'process',
  }
}

/** For commands: with `npm run test:db -- --cluster`, the variable that names the file of the cluster. */
export function clusterEnvironment(): Record<string, string> {
  const file = process.env['HEDDLE_TEST_CLUSTER']
  return file === undefined ? {} : { HEDDLE_CLUSTER: file }
}

function missing(): never {
  throw new Error('run database tests with `npm run test:db`: it starts the ClickHouse they need')
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** The API key in an Authorization header of `basic('api', key)`. */
export function apiKeyIn(authorization: string): string {
  return Buffer.from(authorization.slice('Basic '.length), 'base64').toString().slice('api:'.length)
}

/** The documents of a response in JSON Lines. */
export function parseJsonLines<T>(text: string): T[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as T)
}

/** Returns a function that names a new project on each call, for tests that need one each: `acme/costs-1`, … */
export function projectNames(prefix: string): () => string {
  let count = 0
  return () => `${prefix}-${++count}`
}

const ADMIN_AUTHORIZATION = basic('api', ADMIN_KEY)

export async function startTestServer(
  flags: Partial<Settings> = {},
  // Most tests need no second thread, which takes seconds to start from source.
  options: StartOptions = { hasLargeRequestThread: false },
): Promise<TestServer> {
  const settings = testSettings(flags)
  const heddle = await startHeddle(settings, pino({ level: settings.logLevel }), options)
  const sendAs = async (
    authorization: string,
    path: string,
    body?: unknown,
    init: RequestInit = {},
  ): Promise<TestResponse> => {
    const method = init.method ?? (body === undefined ? 'GET' : 'POST')
    const response = await fetch(heddle.url + path, {
      ...(body === undefined ? {} : { body: encode(body) }),
      ...init,
      method,
      headers: {
        ...(authorization === '' ? {} : { authorization }),
        ...(init.headers as Record<string, string> | undefined),
      },
    })
    const text = await response.text()
    checkDocumentedStatus(method, path, response.status)
    return {
      status: response.status,
      headers: response.headers,
      text,
      get json() {
        return JSON.parse(text) as Record<string, unknown>
      },
    }
  }
  const send = (path: string, body?: unknown, init?: RequestInit) =>
    sendAs(ADMIN_AUTHORIZATION, path, body, init)
  return {
    heddle,
    url: heddle.url,
    project_id: 'acme/demo',
    authorization: ADMIN_AUTHORIZATION,
    send,
    as: (authorization) => (path, body, init) => sendAs(authorization, path, body, init),
    user: async (username, roles = {}) => {
      const { deps, access } = heddle
      await createUser(deps, { username })
      for (const [scope, role] of Object.entries(roles)) await grantRole(deps, { username, scope, role })
      const { key } = await createKey(deps, username)
      access.invalidate()
      return basic('api', key)
    },
    post: async <T>(path: string, body: unknown) => {
      const response = await send(path, body)
      if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${response.text}`)
      return JSON.parse(response.text) as T
    },
    stop: async () => {
      await heddle.deps.db.ddl(`DROP DATABASE IF EXISTS sql_${settings.clickhouseDatabase}`)
      await heddle.deps.db.ddl(`DROP DATABASE IF EXISTS ${clusterDatabaseName(settings.clickhouseDatabase)}`)
      await heddle.deps.db.ddl(`DROP DATABASE IF EXISTS ${settings.clickhouseDatabase}`)
      await heddle.stop()
    },
  }
}

function encode(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body
  if (Buffer.isBuffer(body)) return new Uint8Array(body)
  return JSON.stringify(body)
}

/** `const server = useServer()` at the top of a test file starts a server before its tests and stops it after them. */
export function useServer(flags: Partial<Settings> = {}, options?: StartOptions): TestServer {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await startTestServer(flags, options)
  })
  afterAll(async () => {
    await server?.stop()
  })
  return new Proxy({} as TestServer, {
    get: (_target, key) => {
      if (server === undefined) throw new Error('the server has not started yet: use it inside a test')
      return server[key as keyof TestServer]
    },
  })
}
