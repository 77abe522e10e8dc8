import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openStorage } from '../src/app/storage.ts'
import { readSettings } from '../src/app/settings.ts'
import { CALL_COLUMNS } from '../src/store/calls/columns/call-columns.ts'
import { clickhouseClient } from './ingest/bare.ts'
import { type Block, makeBlock } from './ingest/blocks.ts'
import { Ids } from './ingest/templates.ts'
import type { BenchOptions } from './options.ts'

/**
 * `npm run bench -- durability`: the cost of each durability level in ClickHouse. Inserts 10,000 and 100 encoded rows
 * into `calls` with its materialized view: plain, with fsync, and with deduplication tokens. The variants alternate, so
 * that other load on the machine affects all of them.
 */
const VARIANTS = {
  process: { fsync: 0, window: 0 },
  power: { fsync: 1, window: 0 },
  'process, tokens': { fsync: 0, window: 100 },
  'power, tokens': { fsync: 1, window: 100 },
} as const
type Variant = keyof typeof VARIANTS

const CONNECTIONS = 2
const ROUNDS = 4
const MAX_INSERTS = 10_000

interface Tally {
  inserts: number
  seconds: number
  readonly ms: number[]
}

export async function benchDurability({ seconds, print }: BenchOptions): Promise<object> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-bench-'))
  const settings = readSettings({}, { dataDirectory: directory, logLevel: 'silent' })
  const storage = await openStorage(settings, pino({ level: 'silent' }))
  try {
    const { clickhouse } = storage
    if (clickhouse === undefined) throw new Error('this bench needs embedded ClickHouse')
    const execute = clickhouseClient(clickhouse)
    const result: Record<string, object> = {}
    for (const rows of [10_000, 100]) {
      const blocks = await Promise.all(
        Array.from({ length: CONNECTIONS }, (_, n) => n + 1).map((seed) => makeBlock(seed, rows)),
      )
      const tallies = new Map<Variant, Tally>()
      for (let round = 0; round < ROUNDS; round++) {
        for (const variant of Object.keys(VARIANTS) as Variant[]) {
          await prepare(execute, variant)
          const tally = tallies.get(variant) ?? { inserts: 0, seconds: 0, ms: [] }
          tallies.set(variant, tally)
          await insertFor(execute, blocks, variant, seconds / ROUNDS, tally)
        }
      }
      for (const [variant, { inserts, seconds: took, ms }] of tallies) {
        const sorted = ms.toSorted((a, b) => a - b)
        const at = (share: number): number => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
        const line = { callsPerSecond: Math.round((inserts * rows) / took), p50Ms: at(0.5), p99Ms: at(0.99) }
        result[`${rows} rows, ${variant}`] = line
        print(
          `inserts of ${rows}, ${variant}: ${line.callsPerSecond} calls/s, p50 ${line.p50Ms} ms, p99 ${line.p99Ms} ms`,
        )
      }
    }
    return result
  } finally {
    await storage.close()
    await rm(directory, { recursive: true, force: true })
  }
}

type Execute = ReturnType<typeof clickhouseClient>

async function prepare(execute: Execute, variant: Variant): Promise<void> {
  const { fsync, window } = VARIANTS[variant]
  for (const table of ['calls', 'call_ids']) {
    await execute(`TRUNCATE TABLE ${table} SYNC`)
    await execute(
      `ALTER TABLE ${table} MODIFY SETTING fsync_after_insert = ${fsync}, fsync_part_directory = ${fsync}, ` +
        `min_rows_to_fsync_after_merge = ${fsync}, ` +
        `non_replicated_deduplication_window = ${window}`,
    )
  }
}

async function insertFor(
  execute: Execute,
  blocks: readonly Block[],
  variant: Variant,
  seconds: number,
  tally: Tally,
): Promise<void> {
  const started = performance.now()
  const until = started + seconds * 1_000
  await Promise.all(
    blocks.map(async (block, connection) => {
      const ids = new Ids(connection)
      for (let n = 0; performance.now() < until && n < MAX_INSERTS; n++) {
        const token = VARIANTS[variant].window > 0 ? `insert_deduplication_token = '${randomUUID()}', ` : ''
        const before = performance.now()
        await execute(
          `INSERT INTO calls (${CALL_COLUMNS.join(', ')}) SETTINGS ${token}async_insert = 0, deduplicate_blocks_in_dependent_materialized_views = 1 FORMAT RowBinary`,
          block.withIds(ids, n * block.rows),
        )
        tally.ms.push(performance.now() - before)
        tally.inserts++
      }
    }),
  )
  tally.seconds += (performance.now() - started) / 1_000
}
