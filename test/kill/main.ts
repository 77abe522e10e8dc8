import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServerProcess } from '../server-process.ts'
import { type History, writeUntil } from './clients.ts'
import { readBack } from './read-back.ts'

/**
 * `npm run killtest -- --rounds 20`: eight clients write calls in every shape while the server, and with it the
 * built-in engine, is killed with `kill -9` and started again. Whatever was acknowledged must be there afterwards,
 * exactly once and unaltered.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    clients: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '2' },
  },
})
const rounds = Number(values.rounds)
const clients = Number(values.clients)
const roundMs = Number(values.seconds) * 1000

const data = mkdtempSync(join(tmpdir(), 'heddle-kill-'))
const adminPassword = createHash('sha256').update(data).digest('hex')
const apiKey = `hd_${adminPassword}`
const authorization = `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`
const history: History = { acknowledged: new Map(), unknown: new Set(), refused: 0 }

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

let restartMs = 0
for (let round = 1; round <= rounds; round++) {
  const began = Date.now()
  const server = await startServerProcess({ data, adminPassword, apiKey })
  restartMs = Math.max(restartMs, Date.now() - began)
  const target = { url: server.url, authorization }
  const over = new AbortController()
  const writing = Array.from({ length: clients }, (_, client) =>
    writeUntil(over.signal, target, `${round}-${client}`, history),
  )
  // Not before something was acknowledged: a kill while nothing is under way proves little.
  const before = history.acknowledged.size
  while (history.acknowledged.size === before) await pause(10)
  await pause(roundMs * (0.5 + Math.random()))
  await server.kill()
  over.abort()
  await Promise.all(writing)
  console.log(`round ${round} of ${rounds}: killed; ${history.acknowledged.size} calls acknowledged so far`)
}

const server = await startServerProcess({ data, adminPassword, apiKey })
const { lost, duplicated, altered } = await readBack({ url: server.url, authorization }, history)
await server.stop()
rmSync(data, { recursive: true, force: true })
console.log(
  `killtest: kills ${rounds}, acked ${history.acknowledged.size}, unknown ${history.unknown.size}, slowest start ${restartMs} ms`,
)
console.log(`killtest: lost ${lost}, duplicated ${duplicated}, altered ${altered}`)
process.exitCode = lost + duplicated + altered === 0 && history.acknowledged.size > 0 ? 0 : 1
