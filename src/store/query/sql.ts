import { createHash } from 'node:crypto'

/**
 * The SQL template tag. `sql` turns every value into a bound parameter and splices in only other `Sql`, so statements
 * are never concatenated from text. Identifiers come from allow-lists in the code, through `identifier`.
 */
export class Sql {
  readonly parts: readonly (string | Bound)[]

  constructor(parts: readonly (string | Bound)[]) {
    this.parts = parts
  }
}

class Bound {
  readonly type: string
  readonly value: unknown

  constructor(type: string, value: unknown) {
    this.type = type
    this.value = value
  }
}

export interface Statement {
  readonly text: string
  readonly params: Readonly<Record<string, unknown>>
}

type Value = Sql | string | number | boolean | readonly string[]

export function sql(strings: TemplateStringsArray, ...values: readonly Value[]): Sql {
  const parts: (string | Bound)[] = []
  strings.forEach((text, i) => {
    parts.push(text)
    if (i >= values.length) return
    const value = values[i] as Value
    // One by one: a query of 10,000 nodes has more parts than a function may have arguments.
    if (value instanceof Sql) for (const part of value.parts) parts.push(part)
    else parts.push(new Bound(parameterType(value), value))
  })
  return new Sql(parts)
}

function parameterType(value: string | number | boolean | readonly string[]): string {
  if (typeof value === 'string') return 'String'
  if (typeof value === 'boolean') return 'Bool'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'Int64' : 'Float64'
  return 'Array(String)'
}

/** A value with an explicit ClickHouse type, such as `DateTime64(6, 'UTC')`. */
export function bound(type: string, value: unknown): Sql {
  return new Sql([new Bound(type, value)])
}

/** A point in time, to compare with a DateTime64(6). */
export function moment(micros: bigint): Sql {
  return sql`fromUnixTimestamp64Micro(${bound('Int64', micros.toString())}, 'UTC')`
}

/** A column or table name from an allow-list in the code. Never text of a caller. */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_.]*$/i.test(name)) throw new Error(`not an identifier: ${name}`)
  return new Sql([name])
}

/** A number literal, where ClickHouse accepts no parameter: the level of a quantile. */
export function numeral(value: number): Sql {
  return new Sql([value.toFixed(6)])
}

export function join(parts: readonly Sql[], separator: string): Sql {
  return new Sql(parts.flatMap((part, i) => (i === 0 ? part.parts : [separator, ...part.parts])))
}

/** The conjunction; true if there is no condition. */
export function and(conditions: readonly Sql[]): Sql {
  return conditions.length === 0
    ? sql`1`
    : join(
        conditions.map((condition) => sql`(${condition})`),
        ' AND ',
      )
}

/**
 * The text for ClickHouse, with `{p0:String}` in place of each value. Equal values are bound once: a request may have
 * 1,000 parameters (`http_max_fields`), and conditions often occur in two forms. Lists are compared by identity, because
 * comparing their items would take longer than sending them.
 */
export function compile(statement: Sql): Statement {
  const params: Record<string, unknown> = {}
  /** By type, then by value. */
  const known = new Map<string, Map<unknown, string>>()
  let n = 0
  const bind = (part: Bound): string => {
    const names = splitValue(part.value).map((chunk) => {
      const name = `p${n++}`
      params[name] = chunk
      return `{${name}:${part.type}}`
    })
    if (names.length === 1) return names[0]!
    return `${Array.isArray(part.value) ? 'arrayConcat' : 'concat'}(${names.join(', ')})`
  }
  const text = statement.parts
    .map((part) => {
      if (typeof part === 'string') return part
      const ofType = known.get(part.type) ?? new Map<unknown, string>()
      known.set(part.type, ofType)
      const expression = ofType.get(part.value) ?? bind(part)
      ofType.set(part.value, expression)
      return expression
    })
    .join('')
  return { text, params }
}

/** A hash of the statement and its values, as a cache key. */
export function statementKey(statement: Sql): string {
  const text = JSON.stringify(compile(statement), (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
  return createHash('sha256').update(text).digest('base64')
}

/** The text of a view or index, which cannot have parameters: its values are inlined. Never with a caller's value. */
export function inlineText(statement: Sql): string {
  return statement.parts
    .map((part) => {
      if (typeof part === 'string') return part
      if (typeof part.value === 'number') return String(part.value)
      if (typeof part.value !== 'string') throw new Error('a view can hold texts and numbers only')
      return `'${part.value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    })
    .join('')
}

/**
 * ClickHouse rejects parameters above 128 KiB (`http_max_field_value_size`, which a request cannot raise), so a long text
 * or list is bound in chunks. A UTF-16 unit takes up to three bytes, or two if it is escaped.
 */
const MAX_PARAMETER_UNITS = 40_000

function splitValue(value: unknown): unknown[] {
  if (typeof value === 'string' && value.length > MAX_PARAMETER_UNITS) return splitText(value)
  return Array.isArray(value) ? splitList(value) : [value]
}

function splitText(text: string): string[] {
  const chunks: string[] = []
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + MAX_PARAMETER_UNITS, text.length)
    // Not between the halves of a surrogate pair.
    if (to < text.length && (text.charCodeAt(to) & 0xfc00) === 0xdc00) to--
    chunks.push(text.slice(from, to))
    from = to
  }
  return chunks
}

function splitList(list: readonly unknown[]): unknown[][] {
  const chunks: unknown[][] = [[]]
  let units = 0
  for (const item of list) {
    const size = String(item).length + 3
    if (units > 0 && units + size > MAX_PARAMETER_UNITS) {
      chunks.push([])
      units = 0
    }
    chunks.at(-1)!.push(item)
    units += size
  }
  return chunks
}
