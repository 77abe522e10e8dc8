import { TESTED_VERSION } from '../../store/database/clickhouse-client.ts'
import { listUnknownSettings, readServerVersion } from '../../store/database/server-state.ts'
import { readClock } from '../../store/calls/write/clock-sync.ts'
import { clockFinding, readClockDifference, skewBetween } from './clock.ts'
import type { Database } from '../../store/database/database.ts'
import { serverHost } from '../../store/database/every-server.ts'
import { type Check, clickhouseCheck, type Finding, ok, problem, warning } from './check.ts'
import { unreachable } from './unreachable.ts'

/** Connection, version and clock of ClickHouse. */

/** A request runs several statements one after the other. */
const SLOW_MS = 100
const TOO_SLOW_MS = 500

const READINGS = 3

export const clickhouseConnection: Check = {
  name: 'clickhouse connection',
  run: async ({ storage, settings }) => {
    if ('reason' in storage) return [storage.reason]
    const findings: Finding[] = []
    for (const { clickhouse, host } of storage.servers) {
      const where = storage.isEmbedded
        ? 'embedded ClickHouse'
        : `ClickHouse at ${host ?? serverHost(settings.clickhouseUrl ?? '')}`
      findings.push(await measureResponse(clickhouse, where))
    }
    return [...findings, ...storage.unreachable.map(({ error, host }) => unreachable(error, settings, host))]
  },
}

async function measureResponse(clickhouse: Database, where: string): Promise<Finding> {
  const times: number[] = []
  for (let n = 0; n < READINGS; n++) {
    const startedMs = performance.now()
    await readClock(clickhouse)
    times.push(performance.now() - startedMs)
  }
  const ms = Math.round(Math.min(...times))
  const message = `${where} responds in ${ms} ms`
  const remedy =
    'run Heddle in the network of ClickHouse; if it is there, look for overload: CPU, memory and disk of ClickHouse'
  if (ms >= TOO_SLOW_MS) return problem(message, remedy)
  return ms >= SLOW_MS ? warning(message, remedy) : ok(message)
}

export const clickhouseVersion = clickhouseCheck('clickhouse version', async ({ clickhouse }) => {
  const version = await readServerVersion(clickhouse)
  const unknown = await listUnknownSettings(clickhouse)
  if (unknown.length > 0)
    return [
      problem(
        `ClickHouse ${version} lacks settings that Heddle sends: ${unknown.join(', ')}`,
        `upgrade ClickHouse; Heddle is tested with ${TESTED_VERSION}`,
      ),
    ]
  return [ok(`ClickHouse ${version}; Heddle is tested with ${TESTED_VERSION}`)]
})

/** Sessions and keys expire by the clock of Heddle, and calls are ordered by that of ClickHouse. */
export const clickhouseClock = clickhouseCheck('clock', async ({ clickhouse }) => {
  const difference = await readClockDifference(clickhouse)
  if (difference === undefined) return [problem('ClickHouse sends no time', 'look at the log of ClickHouse')]
  const skewMs = skewBetween(difference, { minMs: 0, maxMs: 0 })
  const message = `the clock of ClickHouse differs by ${Math.round(skewMs / 100) / 10} s from that of this machine`
  return [clockFinding(skewMs, 'the clocks of ClickHouse and of this machine agree', message)]
})
