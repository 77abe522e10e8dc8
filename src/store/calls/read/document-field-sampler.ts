import { BoundedMap } from '../../../core/concurrency/bounded-map.ts'
import { encodePath } from '../../../core/json/json-fields.ts'
import type { Clock, Micros } from '../../../core/time/time.ts'
import type { Database } from '../../database/database.ts'
import { fromAllVersions } from '../../query/scope.ts'
import { join, type Sql, sql } from '../../query/sql.ts'
import { documents } from '../columns/documents.ts'
import { type DocumentFields, ExtractedFields } from './extracted-fields.ts'

/** The newest rows are typical. */
const SAMPLED_ROWS = 100

/** A statement has a limited number of parameters. Further fields are read as if they were extracted. */
const MAX_FIELDS = 16

const MAX_SAMPLES = 1_000
const SAMPLE_MICROS = 300_000_000n

interface Sample {
  readonly isInDocuments: boolean
  readonly until: Micros
}

/**
 * Decides by a sample of calls whether substring tests on a field search documents or extracted fields. Both find the same
 * calls, and the wrong choice takes up to six times as long.
 */
export class DocumentFieldSampler {
  readonly #db: Database
  readonly #now: Clock
  readonly #samples = new BoundedMap<string, Sample>(MAX_SAMPLES)

  constructor(db: Database, now: Clock) {
    this.#db = db
    this.#now = now
  }

  /** The fields of which most values are not extracted, such as lists of messages. */
  async find(project_id: string, paths: readonly (readonly string[])[]): Promise<DocumentFields> {
    const inDocuments = paths.filter(([name = '']) => documents.has(name))
    const fields = [...new Map(inDocuments.map((path) => [encodePath(path), path]))].slice(0, MAX_FIELDS)
    const now = this.#now()
    const isKnown = (field: string): boolean =>
      (this.#samples.touch(sampleKey(project_id, field))?.until ?? 0n) > now
    const unknown = fields.filter(([field]) => !isKnown(field))
    const isInDocuments = unknown.length === 0 ? [] : await this.#sample(project_id, unknown)
    for (const [i, [field]] of unknown.entries()) {
      const sample = { isInDocuments: isInDocuments[i] === 1, until: now + SAMPLE_MICROS }
      this.#samples.set(sampleKey(project_id, field), sample)
    }
    return new Set(
      fields
        .map(([field]) => field)
        .filter((field) => this.#samples.get(sampleKey(project_id, field))?.isInDocuments === true),
    )
  }

  async #sample(
    project_id: string,
    fields: readonly (readonly [string, readonly string[]])[],
  ): Promise<readonly number[]> {
    const statement = selectDocumentFields(
      project_id,
      fields.map(([, path]) => path),
    )
    const options = { name: 'fields in documents', kind: 'point' } as const
    return (await this.#db.first<{ is_in_documents: number[] }>(statement, options))?.is_in_documents ?? []
  }
}

function sampleKey(project_id: string, field: string): string {
  return `${project_id} ${field}`
}

/** 1 for each field of which most values are not extracted. */
export function selectDocumentFields(project_id: string, paths: readonly (readonly string[])[]): Sql {
  const tests = paths.map((path) => {
    const fields = new ExtractedFields()
    fields.field(path)
    return fields.needsDocuments()
  })
  // ClickHouse compares the limits of reads with all rows of the project, although it reads the first ones only.
  return sql`SELECT arrayMap(n -> n * 2 > count(), sumForEach(tests)) AS is_in_documents
FROM (SELECT [${join(tests, ', ')}] AS tests ${fromAllVersions(project_id, 'calls')} ORDER BY started_at DESC LIMIT ${SAMPLED_ROWS})
SETTINGS max_rows_to_read = 0, max_bytes_to_read = 0`
}
