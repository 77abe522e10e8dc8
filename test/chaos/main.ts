import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Api } from './api.ts'
import { createLoad, DEFAULT_FOLLOW_UP_SHARE, writeCalls } from './calls-load.ts'
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
import { OtherShards } from './other-shards.ts'
import { Records } from './records.ts'
import { addShard, restartNodes } from './restarts.ts'
import { Verdict } from './verdict.ts'

/**
 * `npm run chaos -- --seconds 90 [--seed N] [--outage-seconds 10] [--clients 32]
 * [--acked N] [--pause-seconds 3] [--follow-up-share 0.06] [--durability process] [--built] [--json]
 * [--shards 2 [--add-shard]]` runs two nodes and one ClickHouse, or a cluster of shards, under a mixed write load, while it
 * kills, stops and restarts processes and breaks connections. Then it reads everything back through every read operation.
 * Each acknowledged record must exist once, unaltered.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    // The run continues after `seconds` until this many records are acknowledged.
    acked: { type: 'string', default: '0' },
    seed: { type: 'string' },
    clients: { type: 'string', default: '32' },
    'outage-seconds': { type: 'string' },
    // The longest pause between two faults; some faults are concurrent.
    'pause-seconds': { type: 'string', default: '3' },
    // Share of blocks of 100 calls followed by a rename, by a deletion, or by a read through another node.
    'follow-up-share': { type: 'string', default: String(DEFAULT_FOLLOW_UP_SHARE) },
    // Processes are killed, but power is not cut: an fsync of every part is not needed.
    durability: { type: 'string', default: 'process' },
    // Uses the compiled server: its nodes restart in a quarter of the time, so more is written between two faults.
    built: { type: 'boolean', default: false },
    // Several are shards of a cluster.
    shards: { type: 'string', default: '1' },
    // Another shard is added in the middle of the run.
    'add-shard': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
/** At most a minute, less in a short run. */
const outageSeconds = Number(values['outage-seconds'] ?? Math.min(60, seconds / 9))

const SWEEP_MS = 10_000

const directory = mkdtempSync(join(tmpdir(), 'heddle-chaos-'))
const cluster = new Cluster({
  directory,
  durability: values.durability,
  command: values.built ? [process.execPath, 'dist/main.js'] : undefined,
  shards: Number(values.shards),
})
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
  maxOutageMs: outageSeconds * 1000,
  maxPauseMs: Number(values['pause-seconds']) * 1000,
  onShardDown: (shard) => otherShards.check(shard),
})
const stopLoad = new AbortController()
const options = {
  targets: cluster.nodes,
  authorization: cluster.authorization,
  tally,
  onFailure: (target: Target, startedAt: number, reason: string) =>
    faults.onFailure(target, startedAt, reason),
  history,
  records,
  seed,
  followUpShare: Number(values['follow-up-share']),
}
const loads = Array.from({ length: Number(values.clients) }, (_, i) => createLoad(options, i))
const [feedbackLoad, objectsLoad] = [createLoad(options, 1000), createLoad(options, 1001)]
const outageLoad = createLoad(options, 1002)
const otherShards = new OtherShards(cluster, outageLoad)
const writers = [
  ...loads.map((load) => writeCalls(load, stopLoad.signal)),
  writeFeedback(feedbackLoad, feedback, stopLoad.signal),
  writeObjects(objectsLoad, objects, stopLoad.signal),
]

const loadStartedAt = performance.now()
const report = setInterval(() => {
  const at = ((performance.now() - loadStartedAt) / 1000).toFixed(0)
  console.log(`${at} s: acked ${history.acked}, refused ${tally.refused}, broken ${tally.broken}`)
}, 15_000)
const injecting = faults.injectUntil(stopLoad.signal)
await sleep((seconds * 1000) / 2)
if (values['add-shard']) await faults.alone(() => addShard(cluster))
await sleep((seconds * 1000) / 2)
while (history.acked < Number(values.acked)) await sleep(1_000)
stopLoad.abort()
await injecting
await Promise.all(writers)
const loadSeconds = (performance.now() - loadStartedAt) / 1000
clearInterval(report)
for (const { client } of [...loads, feedbackLoad, objectsLoad, outageLoad]) client.close()

// On SIGTERM a node finishes its pending writes first: after these restarts nothing is in progress.
await restartNodes(cluster)
// After its start a node reconciles calls whose writer was killed before its conflict check.
await sleep(SWEEP_MS)
const apis = cluster.nodes.map(
  (node) => new Api({ name: node.name, url: node.process.url }, cluster.authorization),
)
const verdict = new Verdict()
const checkStartedAt = performance.now()
const calls = await checkCalls(apis, { history, records, random }, verdict)
const listedFeedback = await checkFeedback(apis[0]!, feedback, verdict)
const listedObjects = await checkObjects(apis[1]!, objects, verdict)
const checkSeconds = (performance.now() - checkStartedAt) / 1000
await cluster.stop()

const isGood = verdict.isClean && tally.errors.length === 0 && history.acked > 0 && faults.total > 0
if (isGood) rmSync(directory, { recursive: true, force: true })
else console.log(`logs are kept in ${directory}; seed ${seed}`)
const { requests, duplicated, refused, broken, abandoned, readBack } = tally
const summary = {
  seed,
  seconds: Math.round(loadSeconds),
  acked: history.acked,
  acked_per_second: Math.round(history.acked / loadSeconds),
  calls_listed: calls,
  feedback_listed: listedFeedback,
  versions_listed: listedObjects,
  requests,
  requests_duplicated: duplicated,
  refused,
  broken,
  abandoned,
  read_back_under_load: readBack,
  wrong_responses: tally.errors.length,
  statuses: Object.fromEntries(tally.statuses),
  slowest_start_ms: Math.round(cluster.slowestStartMs),
  slowest_stop_ms: Math.round(cluster.slowestStopMs),
  check_seconds: Math.round(checkSeconds),
  rss_mib: Math.round(process.memoryUsage().rss / 2 ** 20),
  faults: Object.fromEntries(faults.counts),
  clickhouse_crashes: cluster.shards.reduce((sum, { crashes }) => sum + crashes, 0),
  ...(cluster.shards.length > 1 ? { while_a_shard_was_down: otherShards.summary } : {}),
}
if (values.json) console.log(JSON.stringify(summary))
else for (const [name, value] of Object.entries(summary)) console.log(`${name}: ${JSON.stringify(value)}`)
process.exitCode = isGood ? 0 : 1
console.log(
  `chaos: acked ${history.acked}, faults ${faults.total}, lost ${verdict.lost}, duplicated ${verdict.duplicated}, altered ${verdict.altered}`,
)
