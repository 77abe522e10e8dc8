import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type APIRequestContext, request } from '@playwright/test'
import { type Client, createClient } from '../../src/client/client.ts'
import { PATIENT_READS, startServerProcess } from '../server-process.ts'
import { seed } from './seed.ts'

/** What the workers know of the server that all journeys share. */
export interface JourneyServer {
  readonly url: string
  readonly password: string
  readonly key: string
  readonly data: string
  /** The cookies of a signed-in admin. */
  readonly signedIn: Awaited<ReturnType<APIRequestContext['storageState']>>
}

const VARIABLE = 'HEDDLE_JOURNEY_SERVER'

/** The server of this run. Playwright's workers inherit the environment that `startServer` leaves. */
export function journeyServer(): JourneyServer {
  return JSON.parse(process.env[VARIABLE] ?? '{}') as JourneyServer
}

export function keyClient(url: string, key: string): Client {
  return createClient({ url, authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` })
}

/** Not by the form, which journeys of its own cover. */
export async function signIn(context: APIRequestContext, url: string, username: string, password: string) {
  const response = await context.post(`${url}/api/v1/session`, { data: { username, password } })
  if (!response.ok()) throw new Error(`sign-in of ${username}: ${response.status()} ${await response.text()}`)
}

/** Before all journeys: starts a server with the data that they share. Returns what ends it. */
export default async function startServer(): Promise<() => Promise<void>> {
  if (!existsSync('dist/main.js') || !existsSync('dist/web/index.html'))
    throw new Error('dist/ is missing: run `npm run build` first')
  const data = mkdtempSync(join(tmpdir(), 'heddle-browser-'))
  const password = randomBytes(12).toString('hex')
  const key = `hd_${createHash('sha256').update(password).digest('hex')}`
  const server = await startServerProcess({
    data,
    adminPassword: password,
    apiKey: key,
    environment: { ...PATIENT_READS, HEDDLE_PROJECT_DELETION_DELAY_MS: '2000' },
    command: [process.execPath, 'dist/main.js'],
  })
  await seed(keyClient(server.url, key))
  const context = await request.newContext()
  await signIn(context, server.url, 'admin', password)
  const shared: JourneyServer = {
    url: server.url,
    password,
    key,
    data,
    signedIn: await context.storageState(),
  }
  await context.dispose()
  process.env[VARIABLE] = JSON.stringify(shared)
  return async () => {
    await server.stop()
    rmSync(data, { recursive: true, force: true })
  }
}
