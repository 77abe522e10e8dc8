import { listUnknownSettings, readServerVersion } from '../../store/database/server-state.ts'
import { readClock } from '../../store/calls/clock-sync.ts'
import { type Check, clickhouseCheck, ok, problem, warning } from './check.ts'

/** Connection, version and clock of ClickHouse. */

/** A request runs several statements one after the other. */
const SLOW_MS = 100
const TOO_SLOW_MS = 500

const READINGS = 3

export const clickhouseConnection: Check = {
  name: 'clickhouse connection',
  run: async ({ storage, settings }) => {
    if ('reason' in storage) return [storage.reason]
    const { clickhouse } = storage
    const times: number[] = []
    for (let n = 0; n < READINGS; n++) {
      const startedMs = performance.now()
      await readClock(clickhouse)
      times.push(performance.now() - startedMs)
    }
    const ms = Math.round(Math.min(...times))
    const where = storage.isEmbedded
      ? 'embedded ClickHouse'
      : `ClickHouse at ${hostOf(settings.clickhouseUrl)}`
    const message = `${where} responds in ${ms} ms`
    const remedy =
      'run Heddle in the network of ClickHouse; if it is there, look for overload: CPU, memory and disk of ClickHouse'
    if (ms >= TOO_SLOW_MS) return [problem(message, remedy)]
    return [ms >= SLOW_MS ? warning(message, remedy) : ok(message)]
  },
}

function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : '(no URL)'
}

/** As in docs/operations.md. */
const TESTED_VERSION = '26.7'

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
const SKEW_WARNING_MS = 1_000
const SKEW_PROBLEM_MS = 5_000

export const clickhouseClock = clickhouseCheck('clock', async ({ clickhouse }) => {
  const beforeMs = Date.now()
  const time = await readClock(clickhouse)
  const afterMs = Date.now()
  if (time === undefined) return [problem('ClickHouse sends no time', 'look at the log of ClickHouse')]
  const clockMs = Number(time / 1_000n)
  // The reading was made at some moment in between.
  const skewMs = Math.max(0, clockMs - afterMs, beforeMs - clockMs)
  if (skewMs < SKEW_WARNING_MS) return [ok('the clocks of ClickHouse and of this machine agree')]
  const message = `the clock of ClickHouse differs by ${Math.round(skewMs / 100) / 10} s from that of this machine`
  const remedy = 'synchronize both machines by NTP (chrony, systemd-timesyncd)'
  return [skewMs >= SKEW_PROBLEM_MS ? problem(message, remedy) : warning(message, remedy)]
})
