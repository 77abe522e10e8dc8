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
    if (value instanceof Sql) parts.push(...value.parts)
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

/** Text of our own code as SQL: column and table names out of an allow-list. Never a caller's text. */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_.]*$/i.test(name)) throw new Error(`not an identifier: ${name}`)
  return new Sql([name])
}

export function join(parts: readonly Sql[], separator: string): Sql {
  return new Sql(parts.flatMap((part, i) => (i === 0 ? part.parts : [separator, ...part.parts])))
}

/** All of them must hold; no condition at all holds for every row. */
export function and(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1` : join(conditions.map((condition) => sql`(${condition})`), ' AND ')
}

/** The engine's text with `{p0:String}` in place of each value. */
export function compile(statement: Sql): Statement {
  const params: Record<string, unknown> = {}
  let n = 0
  const text = statement.parts
    .map((part) => {
      if (typeof part === 'string') return part
      const name = `p${n++}`
      params[name] = part.value
      return `{${name}:${part.type}}`
    })
    .join('')
  return { text, params }
}
