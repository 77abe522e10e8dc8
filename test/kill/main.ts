import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { startServerProcess } from '../server-process.ts'

/**
 * Crash test, `npm run killtest -- --rounds 20`: eight clients write calls in every shape while the server and its
 * embedded ClickHouse are killed with `kill -9` and restarted. Every acknowledged call must then exist exactly once and
 * unaltered. Clients and checks are those of `npm run chaos`; this test needs only one machine.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    clients: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '2' },
  },
})
const rounds = Number(values.rounds)
const roundMs = Number(values.seconds) * 1000

const data = mkdtempSync(join(tmpdir(), 'heddle-kill-'))
const adminPassword = createHash('sha256').update(data).digest('hex')
const apiKey = `hd_${adminPassword}`
const authorization = `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`

let restartMs = 0
const start = async (port?: number) => {
  const startedMs = performance.now()
  const server = await startServerProcess({
    data,
    adminPassword,
    apiKey,
    environment: { HEDDLE_DURABILITY: 'power' },
    ...(port === undefined ? {} : { port }),
  })
  restartMs = Math.max(restartMs, performance.now() - startedMs)
  return server
}

let server = await start()
const target = { name: 'server', url: server.url }
const port = Number(new URL(server.url).port)
const seed = Math.floor(Math.random() * 2 ** 31)
const history = new History()
const records = new Records(seed, Date.now())
const tally = new Tally()
const options = {
  targets: [target],
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
for (let round = 1; round <= rounds; round++) {
  // Wait for an acknowledged write: a kill without writes in progress proves little.
  const before = history.acked
  while (history.acked === before) await sleep(10)
  await sleep(roundMs * (0.5 + Math.random()))
  await server.kill()
  server = await start(port)
  console.log(`round ${round} of ${rounds}: killed; ${history.acked} records acknowledged so far`)
}
stop.abort()
await Promise.all(writing)
for (const { client } of loads) client.close()

// By now the sweeper has repaired what the killed servers left behind (src/store/calls/write/sweeper.ts).
await sleep(10_000)
const verdict = new Verdict()
await checkCalls([new Api(target, authorization)], { history, records, random: new Random(seed) }, verdict)
await server.stop()
rmSync(data, { recursive: true, force: true })
console.log(
  `killtest: kills ${rounds}, acked ${history.acked}, unknown ${tally.abandoned}, slowest start ${Math.round(restartMs)} ms`,
)
console.log(`killtest: lost ${verdict.lost}, duplicated ${verdict.duplicated}, altered ${verdict.altered}`)
const isPassed = verdict.isClean && tally.errors.length === 0 && history.acked > 0
process.exitCode = isPassed ? 0 : 1
