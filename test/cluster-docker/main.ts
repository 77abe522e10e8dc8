import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Api } from '../chaos/api.ts'
import { createLoad, DEFAULT_FOLLOW_UP_SHARE, writeCalls } from '../chaos/calls-load.ts'
import { checkCalls } from '../chaos/check-calls.ts'
import { Tally } from '../chaos/client.ts'
import { History } from '../chaos/history.ts'
import { Random } from '../chaos/random.ts'
import { Records } from '../chaos/records.ts'
import { Verdict } from '../chaos/verdict.ts'
import { Compose } from './compose.ts'
import { injectUntil } from './faults.ts'
import { compareReplicas } from './replicas.ts'

/**
 * `npm run test:cluster:docker -- [--variant 3x2] [--seconds 600] [--seed N] [--keep]`: conformance and chaos against the
 * containers of deploy/cluster-test, with official ClickHouse servers and Keepers. Needs Docker with compose.
 */
const { values } = parseArgs({
  options: {
    variant: { type: 'string', default: '' },
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string' },
    clients: { type: 'string', default: '16' },
    'outage-seconds': { type: 'string', default: '20' },
    keep: { type: 'boolean', default: false },
  },
})
const NODES = [
  { name: 'heddle-a', url: 'http://127.0.0.1:6351' },
  { name: 'heddle-b', url: 'http://127.0.0.1:6352' },
]
const PASSWORD = 'only-for-this-test'
const API_KEY = 'hd_only-for-this-test-000000000000000000000000'
const authorization = `Basic ${Buffer.from(`api:${API_KEY}`).toString('base64')}`
const compose = new Compose(values.variant === '' ? 'compose.yaml' : `compose.${values.variant}.yaml`)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
let isGood = false
try {
  await compose.up()
  const isConforming = runConformance()
  isGood = (await runChaos()) && isConforming
} finally {
  if (!isGood) console.log(await compose.logs().catch(String))
  if (!values.keep) await compose.down()
}
process.exitCode = isGood ? 0 : 1

function runConformance(): boolean {
  const urls = NODES.flatMap(({ url }) => ['--url', url])
  const user = ['--user', 'admin', '--password', PASSWORD, '--project', 'admin/conformance']
  const args = ['run', '--silent', 'conformance', '--', '--heddle', ...urls, ...user]
  return spawnSync('npm', args, { stdio: 'inherit' }).status === 0
}

async function runChaos(): Promise<boolean> {
  const random = new Random(seed)
  const [history, tally] = [new History(), new Tally()]
  const records = new Records(seed, Date.now())
  const options = {
    targets: NODES,
    authorization,
    tally,
    onFailure: () => {},
    history,
    records,
    seed,
    followUpShare: DEFAULT_FOLLOW_UP_SHARE,
  }
  const stop = new AbortController()
  const loads = Array.from({ length: Number(values.clients) }, (_, i) => createLoad(options, i))
  const writing = loads.map((load) => writeCalls(load, stop.signal))
  const injecting = injectUntil(stop.signal, {
    compose,
    random,
    maxOutageMs: Number(values['outage-seconds']) * 1000,
    services: [
      ...(await compose.services('clickhouse-')),
      ...(await compose.services('keeper-')),
      ...NODES.map(({ name }) => name),
    ],
  })
  await sleep(Number(values.seconds) * 1000)
  stop.abort()
  const counts = await injecting
  await Promise.all(writing)
  for (const { client } of loads) client.close()
  for (const { name, url } of NODES) {
    await compose.restart(name)
    await untilReady(url)
  }
  // After its start a node reconciles calls whose writer was killed before its conflict check.
  await sleep(15_000)
  const verdict = new Verdict()
  await checkCalls(
    NODES.map((node) => new Api(node, authorization)),
    { history, records, random },
    verdict,
  )
  const differences = await compareReplicas(compose)
  for (const difference of differences) console.log(`DIFFERENT: ${difference}`)
  const faults = [...counts.values()].reduce((sum, count) => sum + count, 0)
  console.log(JSON.stringify({ seed, faults: Object.fromEntries(counts), refused: tally.refused }))
  console.log(
    `docker chaos: acked ${history.acked}, faults ${faults}, lost ${verdict.lost}, duplicated ${verdict.duplicated}, altered ${verdict.altered}, different replicas ${differences.length}`,
  )
  return verdict.isClean && differences.length === 0 && tally.errors.length === 0 && history.acked > 0
}

async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 120; attempt++) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    if (response?.status === 200) return
    await sleep(1_000)
  }
  throw new Error(`${url} is not ready after two minutes`)
}
