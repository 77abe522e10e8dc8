import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { createClient } from '../../src/client/client.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import { accessibility } from './journeys/accessibility.ts'
import { accounts } from './journeys/accounts.ts'
import { basePath } from './journeys/base-path.ts'
import { costs } from './journeys/costs.ts'
import { datasets } from './journeys/datasets.ts'
import { compare } from './journeys/compare.ts'
import { evaluationSlices } from './journeys/evaluation-slices.ts'
import { evaluationViews } from './journeys/evaluation-views.ts'
import { evaluations } from './journeys/evaluations.ts'
import { exactness } from './journeys/exactness.ts'
import { firstSteps } from './journeys/first-start.ts'
import { frame } from './journeys/frame.ts'
import { annotation } from './journeys/annotation.ts'
import { listTools } from './journeys/list-tools.ts'
import { keyboard } from './journeys/keyboard.ts'
import { list } from './journeys/list.ts'
import { media } from './journeys/media.ts'
import { dashboard } from './journeys/dashboard.ts'
import { dashboards } from './journeys/dashboards.ts'
import { objects } from './journeys/objects.ts'
import { otel } from './journeys/otel.ts'
import { sdkData } from './journeys/sdk-data.ts'
import { settings } from './journeys/settings.ts'
import { queues } from './journeys/queues.ts'
import { savedViews } from './journeys/saved-views.ts'
import { setup } from './journeys/setup.ts'
import { size } from './journeys/size.ts'
import { speed, speedOfMillion } from './journeys/speed.ts'
import { sql } from './journeys/sql.ts'
import { threads } from './journeys/threads.ts'
import { trace } from './journeys/trace.ts'
import { outages } from './journeys/outages.ts'
import { runAssistant } from './program/assistant.ts'
import { createOnce, largeSeeds, seed } from './seed.ts'
import { ACTION_TIMEOUT_MS, type Journey, recordPageErrors, withinLimit } from './environment.ts'

/**
 * Browser tests: `npm run build && npm run test:browser` runs user journeys in a real browser against a built server.
 * `-- --only 'text|text'` filters journeys by name, `--long` adds those with a million calls, `--images docs/images`
 * takes the screenshots of the docs, and `--failures DIR` takes screenshots of failures. The last line of output is
 * `browser: N passed, N failed`.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    long: { type: 'boolean', default: false },
    images: { type: 'string' },
    failures: { type: 'string' },
  },
})
const only = values.only ?? ''
if (!existsSync('dist/main.js') || !existsSync('dist/web/index.html')) {
  throw new Error('dist/ is missing: run `npm run build` first')
}

const data = mkdtempSync(join(tmpdir(), 'heddle-browser-'))
const password = createHash('sha256').update(data).digest('hex').slice(0, 24)
const key = `hd_${createHash('sha256').update(password).digest('hex')}`
const start = (port?: number): Promise<ServerProcess> =>
  startServerProcess({
    data,
    adminPassword: password,
    apiKey: key,
    environment: { HEDDLE_PROJECT_DELETION_DELAY_MS: '2000' },
    command: [process.execPath, 'dist/main.js'],
    ...(port === undefined ? {} : { port }),
  })

let server = await start()
const { url } = server
const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`
const api = createClient({ url, authorization })
await seed(api)
const large = largeSeeds(api, data)
const assistant = createOnce(() => runAssistant(url, key))

/** More than processors, because journeys wait most of the time. */
const WORKERS = 3

/** Each worker has a browser of its own: contexts of one browser share a clipboard. */
const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['HEDDLE_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--force-color-profile=srgb'],
  })
const firstBrowser = await launch()
const otherBrowsers = await Promise.all(Array.from({ length: WORKERS - 1 }, launch))
const SIZE = { width: 1440, height: 900 }

async function signedInState() {
  const context = await firstBrowser.newContext({ viewport: SIZE })
  const page = await context.newPage()
  await page.goto(`${url}/sign-in`)
  await page.getByRole('textbox', { name: 'Username' }).fill('admin')
  await page.getByLabel('Password', { exact: true }).last().fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/** Creates a user with a role in a project, and signs in as that user. */
async function otherUserPage(
  open: () => Promise<Page>,
  username: string,
  project_id: string,
  role: 'read' | 'write',
): Promise<Page> {
  const createUser = execFile(process.execPath, [
    'dist/main.js',
    'users',
    'create',
    username,
    '--password-stdin',
    '--data',
    data,
  ])
  createUser.stdin?.end(password)
  const [status] = (await once(createUser, 'exit')) as [number]
  if (status !== 0) throw new Error(`could not create the user ${username}: exit status ${status}`)
  const [entity = '', project = ''] = project_id.split('/')
  await api.call('member_set', { entity, project, username, role })
  const page = await open()
  // Not by the form, which journeys of its own cover.
  const signedIn = await page.request.post(`${url}/api/v1/session`, { data: { username, password } })
  if (!signedIn.ok()) throw new Error(`sign-in of ${username}: ${signedIn.status()} ${await signedIn.text()}`)
  return page
}

async function restart(whileDown: () => Promise<void>): Promise<void> {
  const port = Number(new URL(url).port)
  await server.kill()
  await whileDown()
  server = await start(port)
}

/** Takes a WebP screenshot: a fifth of the size of PNG, so that the docs can include them. */
async function screenshot(page: Page, name: string): Promise<void> {
  if (values.images === undefined) return
  mkdirSync(values.images, { recursive: true })
  const session = await page.context().newCDPSession(page)
  // Chromium answers with its next frame, and may never draw one for a page in the background.
  await session.send('Page.bringToFront')
  const { data: image } = await withinLimit(
    `the screenshot ${name}`,
    page,
    session.send('Page.captureScreenshot', { format: 'webp', quality: 80 }),
  )
  writeFileSync(join(values.images, `${name}.webp`), Buffer.from(image, 'base64'))
  await session.detach()
}

const signedIn = await signedInState()

/** The workers share these, a file at a time: journeys of one file may build on each other. */
const CONCURRENT = [
  // First: later journeys create projects, and the switcher lists a limited number.
  frame,
  list,
  savedViews,
  trace,
  queues,
  datasets,
  objects,
  annotation,
  listTools,
  compare,
  evaluations,
  evaluationViews,
  evaluationSlices,
  dashboard,
  dashboards,
  settings,
  accounts,
  setup,
  otel,
  sdkData,
  exactness,
  media,
  threads,
  costs,
  sql,
  keyboard,
  ...accessibility.map((each) => [each]),
]
/** These measure time, restart the server or start another one: nothing runs beside them. */
const EXCLUSIVE = [firstSteps, basePath, size, speed, ...(values.long ? [speedOfMillion] : []), outages]

/** A hung page fails its journey, not the whole run. The first journey that needs the million calls also creates them. */
const JOURNEY_TIMEOUT_MS = 300_000

/** Runs a journey. Returns the reason of a failure, or undefined. */
async function attempt(browser: Browser, journey: Journey): Promise<string | undefined> {
  const pageErrors: string[] = []
  const contexts: BrowserContext[] = []
  const open = async (state?: typeof signedIn) => {
    const context = await browser.newContext({
      viewport: SIZE,
      // Animations take processor time and nothing depends on them.
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...(state === undefined ? {} : { storageState: state }),
    })
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(ACTION_TIMEOUT_MS)
    recordPageErrors(page, pageErrors)
    // tsx wraps functions in `__name`, which does not exist in the page.
    await page.addInitScript('globalThis.__name = (each) => each')
    return page
  }
  const page = await open(signedIn)
  try {
    const run = journey.run({
      page,
      url,
      api,
      password,
      key,
      screenshot,
      large,
      assistant,
      restart,
      signedOutPage: () => open(),
      otherUserPage: (...user) => otherUserPage(open, ...user),
    })
    await withinLimit('the journey', page, run, JOURNEY_TIMEOUT_MS)
    return pageErrors.length === 0 ? undefined : `page errors: ${pageErrors.join('; ').slice(0, 800)}`
  } catch (error) {
    if (values.failures !== undefined) {
      const path = join(values.failures, journey.name.replaceAll(/\W+/g, '-'))
      const pages = contexts.flatMap((context) => context.pages())
      for (const [n, each] of pages.entries())
        await each.screenshot({ path: `${path}-${n}.png` }).catch(() => undefined)
    }
    return error instanceof Error ? error.message : String(error)
  } finally {
    for (const context of contexts) await context.close()
  }
}

let passed = 0
let failed = 0

async function run(browser: Browser, journey: Journey): Promise<void> {
  const startedAt = performance.now()
  const report = (mark: string, reason: string): void =>
    console.log(`${mark}  ${journey.name}\n      ${reason.replaceAll('\n', '\n      ')}`)
  let failure = await attempt(browser, journey)
  for (let retries = 2; failure !== undefined && journey.assertsDuration && retries > 0; retries--) {
    report('RETRY', failure)
    failure = await attempt(browser, journey)
  }
  if (failure === undefined) {
    passed++
    console.log(`ok    ${journey.name} (${Math.round(performance.now() - startedAt)} ms)`)
  } else {
    failed++
    report('FAIL', failure)
  }
}

async function runFiles(browser: Browser, files: (readonly Journey[])[]): Promise<void> {
  for (let file = files.shift(); file !== undefined; file = files.shift()) {
    const selected = file.filter(({ name }) => only.split('|').some((part) => name.includes(part)))
    for (const journey of selected) await run(browser, journey)
  }
}

const waiting: (readonly Journey[])[] = [...CONCURRENT]
await Promise.all([firstBrowser, ...otherBrowsers].map((each) => runFiles(each, waiting)))
await Promise.all(otherBrowsers.map((each) => each.close()))
await runFiles(firstBrowser, [...EXCLUSIVE])
await firstBrowser.close()
await server.stop()
rmSync(data, { recursive: true, force: true })
console.log(`browser: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
