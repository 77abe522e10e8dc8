import { createHash } from 'node:crypto'

/**
 * SQL is written, never glued: the `sql` tag turns each value into a bound parameter of the engine and splices in
 * only other `Sql`. Identifiers come from allow-lists in the code and enter through `identifier`.
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
    // One by one: a query of 10,000 nodes has more parts than a call may have arguments.
    if (value instanceof Sql) for (const part of value.parts) parts.push(part)
    else parts.push(new Bound(typeOf(value), value))
  })
  return new Sql(parts)
}

function typeOf(value: string | number | boolean | readonly string[]): string {
  if (typeof value === 'string') return 'String'
  if (typeof value === 'boolean') return 'Bool'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'Int64' : 'Float64'
  return 'Array(String)'
}

/** A value with a type of the engine that its JS type does not tell, such as `DateTime64(6, 'UTC')`. */
export function bound(type: string, value: unknown): Sql {
  return new Sql([new Bound(type, value)])
}

/** A point in time, as the engine compares it with a DateTime64(6). */
export function moment(micros: bigint): Sql {
  return sql`fromUnixTimestamp64Micro(${bound('Int64', micros.toString())}, 'UTC')`
}

/** Text of our own code as SQL: column and table names out of an allow-list. Never a caller's text. */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_.]*$/i.test(name)) throw new Error(`not an identifier: ${name}`)
  return new Sql([name])
}

/** A number as the statement's own text, where the engine takes no bound value: the level of a quantile. */
export function numeral(value: number): Sql {
  return new Sql([value.toFixed(6)])
}

export function join(parts: readonly Sql[], separator: string): Sql {
  return new Sql(parts.flatMap((part, i) => (i === 0 ? part.parts : [separator, ...part.parts])))
}

/** All of them must hold; no condition at all holds for every row. */
export function and(conditions: readonly Sql[]): Sql {
  return conditions.length === 0
    ? sql`1`
    : join(
        conditions.map((condition) => sql`(${condition})`),
        ' AND ',
      )
}

/**
 * The engine's text with `{p0:String}` in place of each value. What stands in a statement several times is bound once: a
 * request may have 1,000 values (`http_max_fields`), and a condition is often there in two forms. (Lists are the same if
 * they are one: to compare them would take longer than to send them.)
 */
export function compile(statement: Sql): Statement {
  const params: Record<string, unknown> = {}
  /** By type, then by value. */
  const known = new Map<string, Map<unknown, string>>()
  let n = 0
  const bind = (part: Bound): string => {
    const names = piecesOf(part.value).map((piece) => {
      const name = `p${n++}`
      params[name] = piece
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

/** The same for the same statement with the same values, for no other, and short however long that is. */
export function keyOf(statement: Sql): string {
  const text = JSON.stringify(compile(statement), (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
  return createHash('sha256').update(text).digest('base64')
}

/**
 * The text of a view, which can have no parameters: the few values in it, texts of our own code, are written out.
 * Never with a caller's value.
 */
export function viewText(statement: Sql): string {
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
 * The engine refuses a parameter above 128 KiB (`http_max_field_value_size`, which a request cannot raise), so a
 * long text or list is bound in pieces. A UTF-16 unit takes up to three bytes, or two when it is escaped.
 */
const PIECE_UNITS = 40_000

function piecesOf(value: unknown): unknown[] {
  if (typeof value === 'string' && value.length > PIECE_UNITS) return textPieces(value)
  return Array.isArray(value) ? listPieces(value) : [value]
}

function textPieces(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + PIECE_UNITS, text.length)
    // Not between the halves of a surrogate pair.
    if (to < text.length && (text.charCodeAt(to) & 0xfc00) === 0xdc00) to--
    pieces.push(text.slice(from, to))
    from = to
  }
  return pieces
}

function listPieces(list: readonly unknown[]): unknown[][] {
  const pieces: unknown[][] = [[]]
  let units = 0
  for (const item of list) {
    const size = String(item).length + 3
    if (units > 0 && units + size > PIECE_UNITS) {
      pieces.push([])
      units = 0
    }
    pieces.at(-1)!.push(item)
    units += size
  }
  return pieces
}
