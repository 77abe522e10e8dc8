import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPlainEngine } from '../../scripts/external-clickhouse.ts'
import { startServerProcess } from '../server-process.ts'
import { runTrial } from './reconnects.ts'

/**
 * `npm run livetest -- --seconds 60 --cuts 50`: two nodes on one engine under load, and a client of the live feed that
 * is cut off at random moments and comes back at either node. It must see every stored start and end exactly once.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, cuts: { type: 'string', default: '50' } },
})
const data = mkdtempSync(join(tmpdir(), 'heddle-live-'))
const adminPassword = createHash('sha256').update(data).digest('hex')
const apiKey = `hd_${adminPassword}`
const engine = await startPlainEngine(join(data, 'engine'))
const start = (name: string) =>
  startServerProcess({ data: join(data, name), adminPassword, apiKey, clickhouseUrl: engine.url })
const nodes = [await start('a'), await start('b')]

const verdict = await runTrial({
  urls: nodes.map(({ url }) => url),
  authorization: `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`,
  project_id: 'admin/live',
  seconds: Number(values.seconds),
  cuts: Number(values.cuts),
})
for (const node of nodes) await node.stop()
await engine.stop()
rmSync(data, { recursive: true, force: true })

const { calls, events, cuts, missed, repeated, misordered, slowestMs } = verdict
for (const name of [...missed, ...repeated, ...misordered].slice(0, 20)) console.log(name)
console.log(`livetest: calls ${calls}, events ${events}, cuts ${cuts}, slowest event ${slowestMs} ms`)
console.log(
  `livetest: missed ${missed.length}, repeated ${repeated.length}, out of order ${misordered.length}`,
)
const isGood = missed.length + repeated.length + misordered.length === 0
process.exitCode = isGood && calls > 0 && cuts >= Number(values.cuts) / 2 ? 0 : 1
