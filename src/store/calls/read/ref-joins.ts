import { ApiError } from '../../../contract/api-error.ts'
import { MAX_REF_JOINS } from '../../../contract/limits.ts'
import { REF_PREFIX } from '../../../contract/objects/ref.ts'
import { splitPath } from '../../../core/query/path.ts'
import type { JsonField } from '../../query/field.ts'
import { jsonRaw, jsonValue } from '../../query/json-value.ts'
import { from } from '../../query/scope.ts'
import { and, identifier, type Sql, sql } from '../../query/sql.ts'
import { documents } from '../columns/documents.ts'

interface RefJoin {
  /** The path of the column that holds the ref, as JSON. */
  readonly column: string
  readonly document: Sql
  readonly path: readonly string[]
  /** Whether the ref is in the call itself, not in a referenced object. */
  readonly isFirst: boolean
}

/**
 * Joins for queries and sort orders on fields of referenced objects. With `inputs.model` among the `expand_columns`,
 * `inputs.model.temperature` is read from the object that `inputs.model` refers to. If it holds no ref, or a dangling
 * one, the field is read from the value itself, as in responses. Each join adds one column.
 *
 * Compiling conditions and order collects the joins; `from` then writes the source that contains their columns.
 */
export class RefJoins {
  readonly #project_id: string
  readonly #columns: readonly (readonly string[])[]
  readonly #joins: RefJoin[] = []
  #conditions: readonly Sql[] = []

  constructor(project_id: string, expand_columns: readonly string[] | null | undefined) {
    this.#project_id = project_id
    this.#columns = (expand_columns ?? [])
      .map((column) => splitPath(column, ['expand_columns']))
      .filter(([name = '']) => documents.has(name))
      .toSorted((a, b) => a.length - b.length)
  }

  /** Whether no compiled field needs a join. */
  get isEmpty(): boolean {
    return this.#joins.length === 0
  }

  /** Conditions on the calls themselves, which reduce the number of refs to look up. */
  narrow(conditions: readonly Sql[]): void {
    this.#conditions = conditions
  }

  /** The field at a path, if a prefix of the path is an expanded column. */
  find(path: readonly string[]): JsonField | undefined {
    let document = documents.get(path[0] ?? '')
    let depth = 1
    if (document === undefined) return undefined
    const through = this.#columns.filter((column) => isPrefix(column, path))
    if (through.length === 0) return undefined
    for (const column of through) {
      const isFirst = column === through[0]
      const refJoin = { column: JSON.stringify(column), document, path: column.slice(depth), isFirst }
      document = identifier(`ref_${this.#number(refJoin)}`)
      depth = column.length
    }
    return { kind: 'json', document, path: path.slice(depth) }
  }

  #number(refJoin: RefJoin): number {
    const known = this.#joins.findIndex(({ column }) => column === refJoin.column)
    if (known !== -1) return known
    if (this.#joins.length === MAX_REF_JOINS)
      throw new ApiError('invalid_request', `a query may use at most ${MAX_REF_JOINS} expanded columns`)
    return this.#joins.push(refJoin) - 1
  }

  /** `FROM … WHERE …` with the columns of calls and of the joins (`ref_0`, …); append conditions with `AND`. */
  from(): Sql {
    const calls = sql`${from(this.#project_id, 'calls')} AND ${and(this.#conditions)}`
    let source = sql`SELECT * ${calls}`
    for (const [n, refJoin] of this.#joins.entries()) source = this.#join(source, refJoin, n, calls)
    return sql`FROM (${source}) WHERE 1`
  }

  #join(source: Sql, refJoin: RefJoin, n: number, calls: Sql): Sql {
    const target = identifier(`target_${n}`)
    const keys = refJoin.isFirst ? this.#keysOfCalls(refJoin, calls) : this.#keysOfNestedRefs(calls)
    const referenced = walk(sql`there.document`, sql`here.${target}.2`)
    return sql`SELECT here.*, if(there.document = '', ${jsonRaw(refJoin.document, refJoin.path)}, ${referenced}) AS ${identifier(`ref_${n}`)}
FROM (SELECT *, ${this.#target(refJoin)} AS ${target} FROM (${source})) AS here
LEFT ANY JOIN (${this.#contents(keys)}) AS there ON here.${target}.1 = there.key`
  }

  /** For refs in the calls themselves: exactly the objects and rows that the calls refer to. */
  #keysOfCalls(refJoin: RefJoin, calls: Sql): Keys {
    const keys = sql`SELECT DISTINCT ${this.#target(refJoin)}.1 AS named ${calls}`
    const objects = sql`SELECT splitByChar(':', named)[1], splitByChar(':', named)[2] FROM (${keys}) WHERE named LIKE '%:%'`
    return { objects: sql`(object_id, digest) IN (${objects})`, rows: sql`digest IN (${keys})` }
  }

  /**
   * For refs in referenced objects: all objects. Selecting only those that the previous join leads to would repeat the
   * statement inside itself and double its length with each join. Rows are many, so only those are read that calls and
   * objects (but not other rows) refer to.
   */
  #keysOfNestedRefs(calls: Sql): Keys {
    const named = sql`arrayJoin(extractAll(arrayStringConcat(arrayConcat(input_refs, output_refs), ' '), '/id/([A-Za-z0-9]+)'))`
    const within = sql`arrayJoin(extractAll(val, '/id/([A-Za-z0-9]+)'))`
    return {
      objects: sql`1`,
      rows: sql`digest IN (SELECT ${named} ${calls}
UNION ALL SELECT ${within} ${from(this.#project_id, 'object_versions')})`,
    }
  }

  /**
   * The target of the ref at a path: the key of an object (`name:digest`) or of a row (its digest), and the remaining
   * path. '' if the value is not a ref, or one to another project.
   */
  #target(refJoin: RefJoin): Sql {
    const prefix = `${REF_PREFIX}${this.#project_id}/`
    const { text } = jsonValue(refJoin.document, refJoin.path)
    const tail = sql`if(startsWith(ref, ${prefix}), substring(ref, ${Buffer.byteLength(prefix) + 1}), '')`
    const row = sql`extract(tail, '^(?:(?:object|op)/[^/]+:[^/:]+/attr/rows|table/[^/]+)/id/([^/]+)')`
    const object = sql`extract(tail, '^(?:object|op)/([^/]+:[^/:]+)')`
    const after = sql`replaceRegexpOne(tail, '^(?:(?:object|op)/[^/]+:[^/:]+(?:/attr/rows/id/[^/]+)?|table/[^/]+/id/[^/]+)/?', '')`
    return sql`arrayMap(ref -> arrayMap(tail -> (if(${row} = '', ${object}, ${row}), ${after}), [${tail}])[1], [${text}])[1]`
  }

  /** Objects and rows that are not deleted, by the keys of `#target`. */
  #contents(keys: Keys): Sql {
    return sql`SELECT concat(object_id, ':', digest) AS key, val AS document
${from(this.#project_id, 'object_versions')} AND published_at >= deleted_at AND ${keys.objects}
UNION ALL SELECT digest AS key, if(val_normalized = '', val, val_normalized) AS document
${from(this.#project_id, 'table_rows')} AND ${keys.rows}`
  }
}

/** `FROM … WHERE …` for the matching calls of a project, with the joins to referenced objects if there are any. */
export function matchingCalls(
  project_id: string,
  conditions: readonly Sql[],
  refJoins: RefJoins | undefined,
): Sql {
  const source = refJoins === undefined || refJoins.isEmpty ? from(project_id, 'calls') : refJoins.from()
  return sql`${source} AND ${and(conditions)}`
}

/** Conditions on the two tables of referenced content. */
interface Keys {
  readonly objects: Sql
  readonly rows: Sql
}

function isPrefix(column: readonly string[], path: readonly string[]): boolean {
  return column.length < path.length && column.every((part, i) => part === path[i])
}

/** Navigates from a document along the path at the end of a ref: `key/question`, `attr/rows/index/3`. */
function walk(document: Sql, steps: Sql): Sql {
  const parts = sql`splitByChar('/', ${steps})`
  const name = sql`decodeURLComponent(${parts}[i])`
  const step = sql`if(${parts}[i - 1] = 'index', JSONExtractRaw(at, toUInt64OrZero(${name}) + 1), JSONExtractRaw(at, ${name}))`
  return sql`arrayFold((at, i) -> ${step}, arrayMap(i -> i * 2, range(1, intDiv(length(${parts}), 2) + 1)), ${document})`
}
