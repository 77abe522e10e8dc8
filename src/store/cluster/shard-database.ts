import type { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import { Database, type DatabaseServices, type DatabaseSettings } from '../database/database.ts'
import type { StatementOptions } from '../database/queries.ts'
import type { Sql } from '../query/sql.ts'
import type { ShardHealth } from './shard-health.ts'
import { ShardReads } from './shard-reads.ts'

/** One shard of a cluster. A read fails at once if the shard has been down for long, and the error names it. */
export class ShardDatabase extends Database {
  readonly #reads: ShardReads

  constructor(
    settings: DatabaseSettings,
    services: Partial<DatabaseServices>,
    health: ShardHealth,
    index: number,
  ) {
    super(settings, services)
    const needed = [index]
    this.#reads = new ShardReads({
      health,
      retryWindowMs: settings.retryWindowMs,
      complete: {
        rows: (statement, options) => super.rows(statement, options),
        stream: (statement, options) => super.stream(statement, options),
      },
      neededShards: () => needed,
    })
  }

  override rows<Row>(statement: Sql, options: StatementOptions): Promise<Row[]> {
    return this.#reads.rows(statement, options)
  }

  override stream<Row>(statement: Sql, options: StatementOptions): BatchedStream<Row> {
    return this.#reads.stream(statement, options)
  }
}
