import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Api } from './api.ts'
import { createLoad, ODD_SHARE, writeCalls } from './calls-load.ts'
import { checkCalls } from './check-calls.ts'
import { checkFeedback } from './check-feedback.ts'
import { checkObjects } from './check-objects.ts'
import { Tally, type Target } from './client.ts'
import { Cluster } from './cluster.ts'
import { Faults } from './faults.ts'
import { type KnownFeedback, writeFeedback } from './feedback-load.ts'
import { History } from './history.ts'
import { type KnownObject, writeObjects } from './objects-load.ts'
import { Random } from './random.ts'
import { Records } from './records.ts'
import { Verdict } from './verdict.ts'

/**
 * `npm run chaos -- --seconds 90 [--seed N] [--outage-seconds 10] [--clients 32]
 * [--acked N] [--pause-seconds 3] [--odd-share 0.06] [--durability process] [--built] [--json]`: two nodes and one engine
 * under load in every shape of write, while processes are killed, stopped and restarted and connections cut. Then
 * everything is read back through every way to read. Whatever was acknowledged must be there, once and unaltered.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    // Goes on after its seconds until so many records are acknowledged.
    acked: { type: 'string', default: '0' },
    seed: { type: 'string' },
    clients: { type: 'string', default: '32' },
    'outage-seconds': { type: 'string' },
    // The longest between two faults; some come together.
    'pause-seconds': { type: 'string', default: '3' },
    // Of blocks of 100 calls that are followed by a new name, by a deletion, by a look from another node.
    'odd-share': { type: 'string', default: String(ODD_SHARE) },
    // Processes are killed and nobody pulls the plug; an fsync of every part is for those who do.
    durability: { type: 'string', default: 'process' },
    // The compiled server: its nodes are back in a quarter of the time, so more is written between two faults.
    built: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
/** A minute, less in a short run. */
const outageSeconds = Number(values['outage-seconds'] ?? Math.min(60, seconds / 9))

const SWEEP_MS = 10_000

const directory = mkdtempSync(join(tmpdir(), 'heddle-chaos-'))
const cluster = new Cluster(
  directory,
  values.durability,
  values.built ? [process.execPath, 'dist/main.js'] : undefined,
)
const random = new Random(seed)
const records = new Records(seed, Date.now())
const history = new History()
const tally = new Tally()
const feedback: KnownFeedback[] = []
const objects: KnownObject[] = []
console.log(`chaos: seed ${seed}, ${seconds} s, outages up to ${outageSeconds.toFixed(0)} s`)
await cluster.start(['a', 'b'])

const faults = new Faults({
  cluster,
  random,
  tally,
  longestMs: outageSeconds * 1000,
  pauseMs: Number(values['pause-seconds']) * 1000,
})
const over = new AbortController()
const options = {
  targets: cluster.nodes,
  authorization: cluster.authorization,
  tally,
  onFailure: (target: Target, beganAt: number, what: string) => faults.onFailure(target, beganAt, what),
  history,
  records,
  seed,
  oddShare: Number(values['odd-share']),
}
const loads = Array.from({ length: Number(values.clients) }, (_, i) => createLoad(options, i))
const [feedbackLoad, objectsLoad] = [createLoad(options, 1000), createLoad(options, 1001)]
const writers = [
  ...loads.map((load) => writeCalls(load, over.signal)),
  writeFeedback(feedbackLoad, feedback, over.signal),
  writeObjects(objectsLoad, objects, over.signal),
]

const began = performance.now()
const report = setInterval(() => {
  const at = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`${at} s: acked ${history.acked}, refused ${tally.refused}, broken ${tally.broken}`)
}, 15_000)
const throwing = faults.throwUntil(over.signal)
await sleep(seconds * 1000)
while (history.acked < Number(values.acked)) await sleep(1_000)
over.abort()
await throwing
await Promise.all(writers)
const loadSeconds = (performance.now() - began) / 1000
clearInterval(report)
for (const { client } of [...loads, feedbackLoad, objectsLoad]) client.close()

// Asked to end, each node first finishes what it holds: after this nothing is under way.
for (const node of cluster.nodes) {
  await cluster.stopNode(node)
  await cluster.startNode(node)
}
// The first thing a node does: it settles what was left behind by writers that were killed.
await sleep(SWEEP_MS)
const apis = cluster.nodes.map(
  (node) => new Api({ name: node.name, url: node.process.url }, cluster.authorization),
)
const verdict = new Verdict()
const checkBegan = performance.now()
const calls = await checkCalls(apis, { history, records, random }, verdict)
const shownFeedback = await checkFeedback(apis[0]!, feedback, verdict)
const shownObjects = await checkObjects(apis[1]!, objects, verdict)
const checkSeconds = (performance.now() - checkBegan) / 1000
await cluster.stop()

const isGood = verdict.isClean && tally.wrong.length === 0 && history.acked > 0 && faults.total > 0
if (isGood) rmSync(directory, { recursive: true, force: true })
else console.log(`logs are kept in ${directory}; seed ${seed}`)
const { requests, duplicated, refused, broken, abandoned, readBack } = tally
const summary = {
  seed,
  seconds: Math.round(loadSeconds),
  acked: history.acked,
  acked_per_second: Math.round(history.acked / loadSeconds),
  calls_listed: calls,
  feedback_listed: shownFeedback,
  versions_listed: shownObjects,
  requests,
  requests_duplicated: duplicated,
  refused,
  broken,
  abandoned,
  read_back_under_load: readBack,
  wrong_answers: tally.wrong.length,
  statuses: Object.fromEntries(tally.statuses),
  slowest_start_ms: Math.round(cluster.slowestStartMs),
  slowest_stop_ms: Math.round(cluster.slowestStopMs),
  check_seconds: Math.round(checkSeconds),
  rss_mib: Math.round(process.memoryUsage().rss / 2 ** 20),
  faults: Object.fromEntries(faults.counts),
}
if (values.json) console.log(JSON.stringify(summary))
else for (const [name, value] of Object.entries(summary)) console.log(`${name}: ${JSON.stringify(value)}`)
process.exitCode = isGood ? 0 : 1
console.log(
  `chaos: acked ${history.acked}, faults ${faults.total}, lost ${verdict.lost}, duplicated ${verdict.duplicated}, altered ${verdict.altered}`,
)
