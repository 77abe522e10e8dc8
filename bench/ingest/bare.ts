import { Agent, request } from 'node:http'
import type { RunningClickHouse } from '../../src/clickhouse/running.ts'
import { CALL_COLUMNS } from '../../src/store/calls/columns/call-columns.ts'
import { type Block, makeBlock } from './blocks.ts'
import { Ids } from './templates.ts'

const ROWS_PER_INSERT = 10_000
const CONNECTIONS = 2
const TABLE = 'bare_calls'

/** The baseline: inserts encoded rows into ClickHouse directly, in large inserts, into a copy of the table without views. */
export class BareTable {
  readonly #execute: ReturnType<typeof clickhouseClient>
  readonly #blocks: readonly Block[]
  #round = 0

  private constructor(clickhouse: RunningClickHouse, blocks: readonly Block[]) {
    this.#execute = clickhouseClient(clickhouse)
    this.#blocks = blocks
  }

  static async create(clickhouse: RunningClickHouse, bytesPerCall: number): Promise<BareTable> {
    const seeds = Array.from({ length: CONNECTIONS }, (_, n) => n + 100)
    const blocks = await Promise.all(seeds.map((seed) => makeBlock(seed, ROWS_PER_INSERT, bytesPerCall)))
    const table = new BareTable(clickhouse, blocks)
    await table.drop()
    await table.#execute(`CREATE TABLE ${TABLE} AS calls`)
    return table
  }

  /** Inserts a number of calls, rounded up to whole inserts, and returns how many it inserted. */
  async insert(calls: number): Promise<number> {
    const round = this.#round++
    const inserts = Math.ceil(calls / ROWS_PER_INSERT)
    let next = 0
    await Promise.all(
      this.#blocks.map(async (block, n) => {
        const ids = new Ids(round * CONNECTIONS + n)
        for (let at = next++; at < inserts; at = next++) {
          await this.#execute(
            `INSERT INTO ${TABLE} (${CALL_COLUMNS.join(', ')}) FORMAT RowBinary`,
            block.withIds(ids, at * ROWS_PER_INSERT),
          )
        }
      }),
    )
    return inserts * ROWS_PER_INSERT
  }

  async drop(): Promise<void> {
    await this.#execute(`DROP TABLE IF EXISTS ${TABLE} SYNC`)
  }
}

/** Runs statements in ClickHouse directly, without Heddle's client. */
export function clickhouseClient(
  clickhouse: RunningClickHouse,
): (statement: string, body?: Buffer) => Promise<string> {
  // A new connection per statement is cheap beside an insert, and ClickHouse closes idle ones between inserts.
  const agent = new Agent({ keepAlive: false })
  return (statement, body = Buffer.alloc(0)) =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${clickhouse.url}/?database=heddle&query=${encodeURIComponent(statement)}`,
        {
          method: 'POST',
          agent,
          headers: {
            'x-clickhouse-user': clickhouse.username,
            'x-clickhouse-key': clickhouse.password,
            'content-length': body.length,
          },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))))
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
}
