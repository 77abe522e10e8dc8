import { Counter, Gauge, type Registry } from 'prom-client'
import { cachedFor } from '../core/concurrency/cached-for.ts'
import type { Deps } from '../service/deps.ts'
import { type DetachedPart, knownReason, listDetachedParts } from '../store/database/detached-parts.ts'
import type { Database } from '../store/database/database.ts'
import { type OfServer, readEveryServer } from '../store/database/every-server.ts'
import { type Disk, listDisks, listTableParts, type TableParts } from '../store/database/server-state.ts'

/**
 * Metrics of ingest and of ClickHouse. Those of ClickHouse are read when metrics are, so that an idle server stays idle.
 * All workers read the same ones, so their values are not added. In a cluster, the label `server` names the server.
 */
export function registerStorageMetrics(
  registry: Registry,
  deps: Pick<Deps, 'db' | 'projectLoad' | 'redactor'>,
): void {
  const registers = [registry]
  const { db, projectLoad, redactor } = deps
  void new Counter({
    name: 'heddle_ingest_records_total',
    help: 'Call records in admitted requests, by project: starts, ends, complete calls, spans.',
    labelNames: ['project'],
    registers,
    collect() {
      this.reset()
      for (const [project, { records }] of projectLoad.totals()) this.inc({ project }, records)
    },
  })
  void new Counter({
    name: 'heddle_ingest_bytes_total',
    help: 'Bytes of call records in admitted requests, after decompression, by project.',
    labelNames: ['project'],
    registers,
    collect() {
      this.reset()
      for (const [project, { bytes }] of projectLoad.totals()) this.inc({ project }, Math.round(bytes))
    },
  })
  void new Counter({
    name: 'heddle_redacted_values_total',
    help: 'Values of call records that were replaced because of their key (HEDDLE_REDACT_KEYS).',
    registers,
    collect() {
      this.reset()
      this.inc(redactor?.replaced ?? 0)
    },
  })
  void new Counter({
    name: 'heddle_clickhouse_retries_total',
    help: 'Statements repeated because ClickHouse was unavailable.',
    registers,
    collect() {
      this.reset()
      this.inc(db.retryCount)
    },
  })
  const sample = cachedFor(() => sampleClickHouse(deps), SAMPLE_CACHE_MS)
  const serverLabel = db.everyServer.length > 1 ? ['server'] : []
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    read: (sample: Sample) => readonly Value[],
  ): void => {
    void new Gauge({
      name,
      help,
      labelNames: [...labelNames, ...serverLabel],
      aggregator: 'max',
      registers,
      async collect() {
        this.reset()
        for (const { server, ...own } of await sample())
          for (const [labels, value] of read(own))
            this.inc(server === undefined ? labels : { ...labels, server }, value)
      },
    })
  }
  gauge(
    'heddle_clickhouse_parts',
    'Active parts of the tables of Heddle. Thousands in one partition mean that merges do not keep up.',
    ['table'],
    ({ tables }) => tables.map(({ table, parts }) => [{ table }, parts]),
  )
  gauge(
    'heddle_clickhouse_detached_parts',
    'Detached parts of the tables of Heddle. broken, broken-on-start, broken-from-backup and unexpected mean lost data.',
    ['table', 'reason'],
    ({ detachedParts }) => detachedParts.map((part) => [{ table: part.table, reason: knownReason(part) }, 1]),
  )
  gauge('heddle_disk_free_bytes', 'Free bytes of the disks of ClickHouse.', ['disk'], ({ disks }) =>
    disks.map(({ name, free_bytes }) => [{ disk: name }, free_bytes]),
  )
  gauge('heddle_disk_total_bytes', 'Size of the disks of ClickHouse.', ['disk'], ({ disks }) =>
    disks.map(({ name, total_bytes }) => [{ disk: name }, total_bytes]),
  )
}

type Value = readonly [labels: Readonly<Record<string, string>>, value: number]

/** Of one ClickHouse server. */
interface Sample {
  readonly tables: readonly TableParts[]
  readonly disks: readonly Disk[]
  readonly detachedParts: readonly DetachedPart[]
}

const SAMPLE_CACHE_MS = 10_000

/** A scrape with the metrics of the process must not wait for a slow ClickHouse. */
const SAMPLE_TIMEOUT_MS = 1_500

/** A server that does not respond has no values, and those of the others are complete. */
async function sampleClickHouse({ db }: Pick<Deps, 'db'>): Promise<OfServer<Sample>[]> {
  return readEveryServer(db, sampleServer)
}

async function sampleServer(server: Database): Promise<Sample[]> {
  const read = async (): Promise<Sample[]> => {
    // Without it, the reads would be retried while ClickHouse is down.
    if (!(await server.ping())) return []
    const [tables, disks, detachedParts] = await Promise.all([
      listTableParts(server),
      listDisks(server),
      listDetachedParts(server),
    ])
    return [{ tables, disks, detachedParts }]
  }
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<Sample[]>((resolve) => {
    timer = setTimeout(() => resolve([]), SAMPLE_TIMEOUT_MS)
  })
  return Promise.race([read().catch(() => []), timeout]).finally(() => clearTimeout(timer))
}
