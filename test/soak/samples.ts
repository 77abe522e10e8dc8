import { execFileSync } from 'node:child_process'
import { clickhouseClient } from '../../bench/ingest/bare.ts'
import { rssMib } from '../../bench/ingest/measured-server.ts'
import type { RunningClickHouse } from '../../src/clickhouse/running.ts'

/** The state of the server at one moment of the soak test. */
export interface Sample {
  readonly minute: number
  /** Calls of the project with a policy, without those that are marked as deleted. */
  readonly calls: number
  readonly parts: number
  /** The data directory, in MiB. */
  readonly diskMib: number
  readonly apiMib: number
  readonly clickhouseMib: number
}

export const SERIES = ['calls', 'parts', 'diskMib', 'apiMib', 'clickhouseMib'] as const
export type Series = (typeof SERIES)[number]

export interface Sampled {
  readonly project_id: string
  readonly data: string
  readonly apiPid: number
  readonly clickhouse: RunningClickHouse
}

export async function takeSample(
  { project_id, data, apiPid, clickhouse }: Sampled,
  minute: number,
): Promise<Sample> {
  const execute = clickhouseClient(clickhouse)
  const number = async (statement: string): Promise<number> => Number(await execute(statement))
  return {
    minute,
    calls: await number(`SELECT count() FROM calls WHERE project_id = '${project_id}'`),
    parts: await number(`SELECT count() FROM system.parts WHERE active AND database = currentDatabase()`),
    diskMib: diskMib(data),
    apiMib: Math.round(rssMib(apiPid)),
    clickhouseMib: Math.round(rssMib(clickhouse.pid)),
  }
}

/** `du` fails if a part is removed while it counts, but still prints a total. */
function diskMib(directory: string): number {
  const kib = execFileSync('sh', ['-c', 'du -sk "$0" 2>/dev/null || true', directory]).toString()
  return Math.round(Number.parseInt(kib, 10) / 1_024)
}

/**
 * How much a series grew: the median of the last third of the run / that of the middle third. The first third fills the
 * window of retention.
 */
export function growth(samples: readonly Sample[], series: Series): number {
  const third = Math.floor(samples.length / 3)
  const middle = median(samples.slice(third, 2 * third).map((sample) => sample[series]))
  const last = median(samples.slice(2 * third).map((sample) => sample[series]))
  return last / Math.max(1, middle)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
