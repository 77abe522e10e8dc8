import {
  addLeaves,
  encodePath,
  type Leaf,
  LOOK_BELOW,
  LOOK_HERE,
  MAX_KEY_UNITS,
} from '../../core/json/json-fields.ts'
import type { LeafField } from '../query/field.ts'
import { RowReader } from '../database/row-binary.ts'
import { bound, join, type Sql, sql } from '../query/sql.ts'

/** The column `leaves` of a row: what is pulled out of the payloads in the bodies of its facts (columns.ts). */
export function leavesOf(start: Buffer, end: Buffer | undefined): Leaf[] {
  const leaves: Leaf[] = []
  const startRow = new RowReader(start)
  const attributes = startRow.skip(8).skipStrings(7).skipNullableI64().bytes()
  const inputs = startRow.bytes()
  // input_refs, otel_dump
  const isAttributesAsSent = startRow.skipStrings().skipStrings(1).bytes().length === 0
  addLeaves(leaves, 'attributes', attributes, isAttributesAsSent)
  addLeaves(leaves, 'inputs', inputs, startRow.bytes().length === 0)
  if (end === undefined) return leaves
  const endRow = new RowReader(end)
  const output = endRow.skipNullableI64().skipNullableString().bytes()
  const summary = endRow.bytes()
  // output_refs, wb_run_step_end
  const isOutputAsSent = endRow.skipStrings().skipNullableI64().bytes().length === 0
  addLeaves(leaves, 'output', output, isOutputAsSent)
  addLeaves(leaves, 'summary', summary, endRow.bytes().length === 0)
  return leaves
}

/** The values that a query reads from the column `leaves` instead of from documents. */
export class PulledOut {
  readonly #tests = new Map<string, Sql>()

  get isEmpty(): boolean {
    return this.#tests.size === 0
  }

  field(path: readonly string[]): LeafField {
    if (path.some((part) => part.length > MAX_KEY_UNITS)) {
      this.#tests.set('', sql`1`)
      return { kind: 'leaf', sql: sql`''` }
    }
    for (let length = 1; length < path.length; length++) {
      const above = encodePath(path.slice(0, length))
      this.#tests.set(`${above} above`, sql`${leaf(above)} = ${LOOK_BELOW}`)
    }
    const own = encodePath(path)
    this.#tests.set(own, sql`${leaf(own)} IN (${LOOK_HERE}, ${LOOK_BELOW})`)
    return { kind: 'leaf', sql: leaf(own) }
  }

  /**
   * Whether a call's documents must be asked all the same. Rows of before have no leaves at all; nor have they kept their
   * usage, which is quicker to ask: `empty(leaves)` reads all of the column, 5 s for 1 M calls.
   */
  unsure(): Sql {
    return sql`(usage_kept = 0 OR ${join([...this.#tests.values()], ' OR ')})`
  }
}

/**
 * The one bucket that holds the path. `leaves[path]` means the same, but with FINAL the engine reads the whole column for
 * it: 4,700 ms against 165 for a count of 1 M calls. The name is bound, like every value.
 */
function leaf(path: string): Sql {
  return sql`leaves.${bound('Identifier', `key_${path}`)}`
}
