import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { createClient } from '../../src/client/client.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import { accessibility } from './journeys/accessibility.ts'
import { costs } from './journeys/costs.ts'
import { datasets } from './journeys/datasets.ts'
import { comparing } from './journeys/compare.ts'
import { exactness } from './journeys/exactness.ts'
import { firstSteps } from './journeys/first-start.ts'
import { frame } from './journeys/frame.ts'
import { judging } from './journeys/annotation.ts'
import { listTools } from './journeys/list-tools.ts'
import { keyboard } from './journeys/keyboard.ts'
import { list } from './journeys/list.ts'
import { media } from './journeys/media.ts'
import { numbers } from './journeys/dashboard.ts'
import { objects } from './journeys/objects.ts'
import { settings } from './journeys/settings.ts'
import { queues } from './journeys/queues.ts'
import { setup } from './journeys/setup.ts'
import { size } from './journeys/size.ts'
import { speed } from './journeys/speed.ts'
import { sql } from './journeys/sql.ts'
import { threads } from './journeys/threads.ts'
import { trace } from './journeys/trace.ts'
import { trouble } from './journeys/outages.ts'
import { largeSeeds, seed } from './seed.ts'
import { type Journey, watch } from './environment.ts'

/**
 * `npm run build && npm run test:browser`: journeys through the web UI as a person would do them, in a real browser
 * against a built server. `-- --only text` chooses some, `--images docs/images` takes the pictures of the docs,
 * `--failures DIR` those of what failed, `--retry` tries what failed once more. The last line is `browser: N passed, N failed`.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    images: { type: 'string' },
    failures: { type: 'string' },
    retry: { type: 'boolean', default: false },
  },
})
const only = values.only ?? ''
if (!existsSync('dist/main.js') || !existsSync('dist/web/index.html')) {
  throw new Error('there is nothing to test: run `npm run build` first')
}

const data = mkdtempSync(join(tmpdir(), 'heddle-browser-'))
const password = createHash('sha256').update(data).digest('hex').slice(0, 24)
const key = `hd_${createHash('sha256').update(password).digest('hex')}`
const start = (port?: number): Promise<ServerProcess> =>
  startServerProcess({
    data,
    adminPassword: password,
    apiKey: key,
    command: [process.execPath, 'dist/main.js'],
    ...(port === undefined ? {} : { port }),
  })

let server = await start()
const { url } = server
const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`
const api = createClient({ url, authorization })
await seed(api)
const large = largeSeeds(api, data)

const browser = await chromium.launch({
  executablePath: process.env['HEDDLE_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--force-color-profile=srgb'],
})
const SIZE = { width: 1440, height: 900 }

async function signedInState() {
  const context = await browser.newContext({ viewport: SIZE })
  const page = await context.newPage()
  await page.goto(`${url}/sign-in`)
  await page.getByRole('textbox', { name: 'User name' }).fill('admin')
  await page.getByLabel('Password', { exact: true }).last().fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/** Signs somebody else in, who is made for it. */
async function colleague(
  open: () => Promise<Page>,
  username: string,
  project_id: string,
  role: 'read' | 'write',
): Promise<Page> {
  const making = execFile(process.execPath, [
    'dist/main.js',
    'users',
    'create',
    username,
    '--password-stdin',
    '--data',
    data,
  ])
  making.stdin?.end(password)
  const [status] = (await once(making, 'exit')) as [number]
  if (status !== 0) throw new Error(`the user ${username} could not be made`)
  const [entity = '', project = ''] = project_id.split('/')
  await api.call('member_set', { entity, project, username, role })
  const page = await open()
  await page.goto(`${url}/sign-in`)
  await page.getByRole('textbox', { name: 'User name' }).fill(username)
  await page.getByLabel('Password', { exact: true }).last().fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  return page
}

async function restart(whileDown: () => Promise<void>): Promise<void> {
  const port = Number(new URL(url).port)
  await server.kill()
  await whileDown()
  server = await start(port)
}

/** WebP, which takes a fifth of what PNG does, so that they can be kept with the docs. */
async function picture(page: Page, name: string): Promise<void> {
  if (values.images === undefined) return
  mkdirSync(values.images, { recursive: true })
  const session = await page.context().newCDPSession(page)
  const { data: image } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  writeFileSync(join(values.images, `${name}.webp`), Buffer.from(image, 'base64'))
  await session.detach()
}

const signedIn = await signedInState()
const journeys = [
  frame,
  firstSteps,
  setup,
  list,
  listTools,
  trace,
  comparing,
  exactness,
  media,
  judging,
  queues,
  objects,
  datasets,
  numbers,
  threads,
  costs,
  sql,
  settings,
  keyboard,
  accessibility,
  size,
  speed,
  trouble,
]
  .flat()
  .filter(({ name }) => only.split('|').some((part) => name.includes(part)))

/** Undefined, or why it failed. */
async function attempt(journey: Journey): Promise<string | undefined> {
  const complaints: string[] = []
  const contexts: BrowserContext[] = []
  const open = async (state?: typeof signedIn) => {
    const context = await browser.newContext({
      viewport: SIZE,
      permissions: ['clipboard-read', 'clipboard-write'],
      ...(state === undefined ? {} : { storageState: state }),
    })
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    watch(page, complaints)
    // What tsx puts around functions, which the page has not.
    await page.addInitScript('globalThis.__name = (each) => each')
    return page
  }
  const page = await open(signedIn)
  try {
    await journey.run({
      page,
      url,
      api,
      password,
      key,
      picture,
      large,
      restart,
      stranger: () => open(),
      colleague: (...who) => colleague(open, ...who),
    })
    return complaints.length === 0 ? undefined : `the page complained: ${complaints.join('; ').slice(0, 800)}`
  } catch (error) {
    if (values.failures !== undefined) {
      const path = join(values.failures, `${journey.name.replaceAll(/\W+/g, '-')}.png`)
      await page.screenshot({ path }).catch(() => undefined)
    }
    return error instanceof Error ? error.message : String(error)
  } finally {
    for (const context of contexts) await context.close()
  }
}

let passed = 0
let failed = 0
for (const journey of journeys) {
  const began = performance.now()
  const report = (mark: string, why: string): void =>
    console.log(`${mark}  ${journey.name}\n      ${why.replaceAll('\n', '\n      ')}`)
  let why = await attempt(journey)
  if (why !== undefined && values.retry) {
    report('AGAIN', why)
    why = await attempt(journey)
  }
  if (why === undefined) {
    passed++
    console.log(`ok    ${journey.name} (${Math.round(performance.now() - began)} ms)`)
  } else {
    failed++
    report('FAIL', why)
  }
}
await browser.close()
await server.stop()
rmSync(data, { recursive: true, force: true })
console.log(`browser: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
