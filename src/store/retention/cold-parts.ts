import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/**
 * Keeps in the cache of cold storage what a start of embedded ClickHouse reads of each part (src/clickhouse/s3-disks.ts). Loading
 * a part does that, but ClickHouse does not load a part that a merge or mutation of moved calls has written until it starts
 * again. So the parts are loaded into a copy of the table, which has the same objects, and exists for a moment.
 */
export class ColdParts {
  readonly #db: Database
  readonly #disk: string
  readonly #copy: string
  #loaded: string | undefined

  constructor(db: Database, disk: string) {
    this.#db = db
    this.#disk = disk
    this.#copy = `${db.name}_cold_copy`
  }

  /** The first time, at the start, ClickHouse has just loaded all parts. Later loads them if others are there. */
  async load(): Promise<void> {
    const rows = await this.#db.rows<{ name: string; partition_id: string }>(selectParts(this.#disk), {
      name: 'cold parts',
      kind: 'access',
    })
    const names = rows.map(({ name }) => name).join()
    if (names === this.#loaded) return
    // One that was interrupted has left it behind.
    await this.#dropCopy()
    if (this.#loaded !== undefined && rows.length > 0)
      await this.#loadPartitions(new Set(rows.map(({ partition_id }) => partition_id)))
    this.#loaded = names
  }

  async #loadPartitions(partitions: ReadonlySet<string>): Promise<void> {
    const db = this.#db
    const copy = `${this.#copy}.calls`
    try {
      await db.ddl(`CREATE DATABASE ${this.#copy}`)
      await db.ddl(`CREATE TABLE ${copy} AS ${db.name}.calls`)
      await db.ddl(`SYSTEM STOP MERGES ${copy}`)
      for (const id of partitions)
        await db.ddl(`ALTER TABLE ${copy} ATTACH PARTITION ID '${id}' FROM ${db.name}.calls`, {
          read_from_filesystem_cache_if_exists_otherwise_bypass_cache: 0,
        })
    } finally {
      await this.#dropCopy()
    }
  }

  #dropCopy(): Promise<void> {
    return this.#db.ddl(`DROP DATABASE IF EXISTS ${this.#copy} SYNC`)
  }
}

export function selectParts(disk: string): Sql {
  return sql`SELECT name, partition_id FROM system.parts WHERE database = currentDatabase() AND table = 'calls' AND active AND disk_name = ${disk} ORDER BY name`
}
