import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startExternalClickHouse } from '../../scripts/external-clickhouse.ts'
import { startClusterNodes } from '../cluster-nodes.ts'
import { startServerProcess } from '../server-process.ts'
import { runLiveTest } from './reconnects.ts'

/**
 * Reconnect test of the live feed, `npm run livetest -- --seconds 60 --cuts 50 [--cluster]`: two nodes share one ClickHouse
 * or a cluster under load, and a client of the live feed is disconnected at random and reconnects to either node. It must
 * receive every stored start and end exactly once.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    cuts: { type: 'string', default: '50' },
    // Two shards; needs `npm run build`.
    cluster: { type: 'boolean', default: false },
  },
})
const data = mkdtempSync(join(tmpdir(), 'heddle-live-'))
const adminPassword = createHash('sha256').update(data).digest('hex')
const apiKey = `hd_${adminPassword}`
const cluster = values.cluster
  ? await startClusterNodes({ directory: data, adminPassword, apiKey })
  : await startSingleServerNodes()

const result = await runLiveTest({
  urls: cluster.nodes.map(({ url }) => url),
  authorization: `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`,
  project_id: 'admin/live',
  seconds: Number(values.seconds),
  cuts: Number(values.cuts),
})
await cluster.stop()
rmSync(data, { recursive: true, force: true })

const { calls, events, cuts, missed, repeated, misordered, slowestMs } = result
for (const name of [...missed, ...repeated, ...misordered].slice(0, 20)) console.log(name)
console.log(`livetest: calls ${calls}, events ${events}, cuts ${cuts}, slowest event ${slowestMs} ms`)
console.log(
  `livetest: missed ${missed.length}, repeated ${repeated.length}, out of order ${misordered.length}`,
)
const isPassed = missed.length + repeated.length + misordered.length === 0
process.exitCode = isPassed && calls > 0 && cuts >= Number(values.cuts) / 2 ? 0 : 1

async function startSingleServerNodes() {
  const clickhouse = await startExternalClickHouse(join(data, 'clickhouse'))
  const start = (name: string) =>
    startServerProcess({ data: join(data, name), adminPassword, apiKey, clickhouseUrl: clickhouse.url })
  const nodes = [await start('a'), await start('b')]
  const stop = async (): Promise<void> => {
    for (const node of nodes) await node.stop()
    await clickhouse.stop()
  }
  return { nodes, stop }
}
