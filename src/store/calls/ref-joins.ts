import { ApiError } from '../../contract/api-error.ts'
import { REF_PREFIX } from '../../contract/objects/ref.ts'
import { splitPath } from '../../core/query/path.ts'
import type { JsonField } from '../query/field.ts'
import { jsonRaw, jsonValue } from '../query/json-value.ts'
import { from } from '../query/scope.ts'
import { and, identifier, type Sql, sql } from '../query/sql.ts'
import { documents } from './documents.ts'

/** More would be a query made to hurt: each is a join. */
const MAX_HOPS = 10

interface Hop {
  /** The path of the column that holds the ref, as one text. */
  readonly column: string
  readonly document: Sql
  readonly path: readonly string[]
  /** Whether the ref stands in the call itself, and not behind another. */
  readonly isFirst: boolean
}

/**
 * Queries and orders that look through refs. `inputs.model.temperature`, with `inputs.model` among the
 * `expand_columns`, is read in the object that `inputs.model` points at; where it holds no ref (or one that leads
 * nowhere) in the value that stands there, as a reader is shown it. Each hop is a column of its own.
 *
 * It is filled while conditions and order are compiled, and then writes the source that their names are read in.
 */
export class RefHops {
  readonly #project_id: string
  readonly #columns: readonly (readonly string[])[]
  readonly #hops: Hop[] = []
  #narrowed: readonly Sql[] = []

  constructor(project_id: string, expand_columns: readonly string[] | null | undefined) {
    this.#project_id = project_id
    this.#columns = (expand_columns ?? [])
      .map((column) => splitPath(column, ['expand_columns']))
      .filter(([name = '']) => documents.has(name))
      .toSorted((a, b) => a.length - b.length)
  }

  /** Whether nothing that was compiled lies behind a ref. */
  get isEmpty(): boolean {
    return this.#hops.length === 0
  }

  /** Conditions on the calls themselves, which make fewer refs to look up. */
  narrow(conditions: readonly Sql[]): void {
    this.#narrowed = conditions
  }

  /** The value at a path, if a part of the path is an expanded column. */
  find(path: readonly string[]): JsonField | undefined {
    let document = documents.get(path[0] ?? '')
    let depth = 1
    if (document === undefined) return undefined
    const through = this.#columns.filter((column) => isPrefix(column, path))
    if (through.length === 0) return undefined
    for (const column of through) {
      const isFirst = column === through[0]
      const hop = { column: JSON.stringify(column), document, path: column.slice(depth), isFirst }
      document = identifier(`hop_${this.#number(hop)}`)
      depth = column.length
    }
    return { kind: 'json', document, path: path.slice(depth) }
  }

  #number(hop: Hop): number {
    const known = this.#hops.findIndex(({ column }) => column === hop.column)
    if (known !== -1) return known
    if (this.#hops.length === MAX_HOPS)
      throw new ApiError('invalid_request', `a query looks through at most ${MAX_HOPS} expanded columns`)
    return this.#hops.push(hop) - 1
  }

  /** `FROM … WHERE …` with the columns of calls and `hop_n` beside them: go on with `AND`. */
  from(): Sql {
    const calls = sql`${from(this.#project_id, 'calls')} AND ${and(this.#narrowed)}`
    let source = sql`SELECT * ${calls}`
    for (const [n, hop] of this.#hops.entries()) source = this.#join(source, hop, n, calls)
    return sql`FROM (${source}) WHERE 1`
  }

  #join(source: Sql, hop: Hop, n: number, calls: Sql): Sql {
    const target = identifier(`target_${n}`)
    const keys = hop.isFirst ? this.#keysIn(hop, calls) : this.#keysBehind(calls)
    const behind = walk(sql`there.document`, sql`here.${target}.2`)
    return sql`SELECT here.*, if(there.document = '', ${jsonRaw(hop.document, hop.path)}, ${behind}) AS ${identifier(`hop_${n}`)}
FROM (SELECT *, ${this.#target(hop)} AS ${target} FROM (${source})) AS here
LEFT ANY JOIN (${this.#contents(keys)}) AS there ON here.${target}.1 = there.key`
  }

  /** Of the first hop exactly what the calls point at is read. */
  #keysIn(hop: Hop, calls: Sql): Keys {
    const keys = sql`SELECT DISTINCT ${this.#target(hop)}.1 AS named ${calls}`
    const objects = sql`SELECT splitByChar(':', named)[1], splitByChar(':', named)[2] FROM (${keys}) WHERE named LIKE '%:%'`
    return { objects: sql`(object_id, digest) IN (${objects})`, rows: sql`digest IN (${keys})` }
  }

  /**
   * Of a later one what is there: to ask what the hop before leads to would repeat the statement within itself, twice
   * as long with each. Rows are many, so only those that objects and calls name (but not other rows) are read.
   */
  #keysBehind(calls: Sql): Keys {
    const named = sql`arrayJoin(extractAll(arrayStringConcat(arrayConcat(input_refs, output_refs), ' '), '/id/([A-Za-z0-9]+)'))`
    const within = sql`arrayJoin(extractAll(val, '/id/([A-Za-z0-9]+)'))`
    return {
      objects: sql`1`,
      rows: sql`digest IN (SELECT ${named} ${calls}
UNION ALL SELECT ${within} ${from(this.#project_id, 'object_versions')})`,
    }
  }

  /**
   * What the ref at a place points at: the key of an object (`name:digest`) or of a row (its digest), and the steps
   * from there. '' for what is no ref, or one of another project.
   */
  #target(hop: Hop): Sql {
    const prefix = `${REF_PREFIX}${this.#project_id}/`
    const { text } = jsonValue(hop.document, hop.path)
    const tail = sql`if(startsWith(ref, ${prefix}), substring(ref, ${Buffer.byteLength(prefix) + 1}), '')`
    const row = sql`extract(tail, '^(?:(?:object|op)/[^/]+:[^/:]+/attr/rows|table/[^/]+)/id/([^/]+)')`
    const object = sql`extract(tail, '^(?:object|op)/([^/]+:[^/:]+)')`
    const after = sql`replaceRegexpOne(tail, '^(?:(?:object|op)/[^/]+:[^/:]+(?:/attr/rows/id/[^/]+)?|table/[^/]+/id/[^/]+)/?', '')`
    return sql`arrayMap(ref -> arrayMap(tail -> (if(${row} = '', ${object}, ${row}), ${after}), [${tail}])[1], [${text}])[1]`
  }

  /** Content that is there and not deleted, by the keys that refs name it with. */
  #contents(keys: Keys): Sql {
    return sql`SELECT concat(object_id, ':', digest) AS key, val AS document
${from(this.#project_id, 'object_versions')} AND published_at >= deleted_at AND ${keys.objects}
UNION ALL SELECT digest AS key, if(query_form = '', val, query_form) AS document
${from(this.#project_id, 'table_rows')} AND ${keys.rows}`
  }
}

/** `FROM … WHERE …` for the calls of a project that match, with what lies behind their refs if that is asked for. */
export function matchingCalls(
  project_id: string,
  conditions: readonly Sql[],
  hops: RefHops | undefined,
): Sql {
  const source = hops === undefined || hops.isEmpty ? from(project_id, 'calls') : hops.from()
  return sql`${source} AND ${and(conditions)}`
}

/** Conditions on the two tables that refs lead to. */
interface Keys {
  readonly objects: Sql
  readonly rows: Sql
}

function isPrefix(column: readonly string[], path: readonly string[]): boolean {
  return column.length < path.length && column.every((part, i) => part === path[i])
}

/** From a document along the steps that a ref ends with: `key/question`, `attr/rows/index/3`. */
function walk(document: Sql, steps: Sql): Sql {
  const parts = sql`splitByChar('/', ${steps})`
  const name = sql`decodeURLComponent(${parts}[i])`
  const step = sql`if(${parts}[i - 1] = 'index', JSONExtractRaw(at, toUInt64OrZero(${name}) + 1), JSONExtractRaw(at, ${name}))`
  return sql`arrayFold((at, i) -> ${step}, arrayMap(i -> i * 2, range(1, intDiv(length(${parts}), 2) + 1)), ${document})`
}
