/**
 * A parser for the subset of GraphQL that three fixed operations need: one query or mutation with fields, arguments,
 * values and variables. Fragments, directives and schemas are not supported.
 */
export interface GraphqlField {
  readonly name: string
  /** The response key: the alias or the name. */
  readonly key: string
  readonly args: ReadonlyMap<string, unknown>
  readonly fields: readonly GraphqlField[]
}

export interface GraphqlDocument {
  readonly type: 'query' | 'mutation'
  readonly fields: readonly GraphqlField[]
}

const MAX_CHARACTERS = 20_000
const MAX_DEPTH = 20

/** White space and comments, then a name, a number, a string or a punctuator. */
const TOKEN =
  /(?:[\s,\ufeff]|#[^\n\r]*)*(?:([A-Za-z_]\w*|-?\d[\w.+-]*|"(?:[^"\\\n\r]|\\.)*"|[!$():=@[\]{}])|$)/y

/** Returns undefined for unsupported syntax. Variables are inserted as values, never as text. */
export function parseGraphql(
  text: string,
  variables: Readonly<Record<string, unknown>>,
): GraphqlDocument | undefined {
  const tokens = tokenize(text)
  return tokens === undefined ? undefined : new Parser(tokens, variables).document()
}

function tokenize(text: string): string[] | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text)
    if (match === null) return undefined
    if (match[1] !== undefined) tokens.push(match[1])
  }
  return tokens
}

class UnsupportedSyntax extends Error {}

class Parser {
  readonly #tokens: readonly string[]
  readonly #variables: Readonly<Record<string, unknown>>
  #at = 0

  constructor(tokens: readonly string[], variables: Readonly<Record<string, unknown>>) {
    this.#tokens = tokens
    this.#variables = variables
  }

  document(): GraphqlDocument | undefined {
    try {
      const type = this.#next() === '{' ? 'query' : this.#take()
      if (type !== 'query' && type !== 'mutation') return undefined
      if (isName(this.#next())) this.#take()
      if (this.#next() === '(') this.#skipDefinitions()
      const fields = this.#selection(0)
      return this.#next() === undefined ? { type, fields } : undefined
    } catch (error) {
      if (error instanceof UnsupportedSyntax) return undefined
      throw error
    }
  }

  #next(): string | undefined {
    return this.#tokens[this.#at]
  }

  #take(expected?: string): string {
    const token = this.#next()
    if (token === undefined || (expected !== undefined && token !== expected)) throw new UnsupportedSyntax()
    this.#at += 1
    return token
  }

  #name(): string {
    if (!isName(this.#next())) throw new UnsupportedSyntax()
    return this.#take()
  }

  #skipDefinitions(): void {
    this.#take('(')
    while (this.#take() !== ')');
  }

  #selection(depth: number): GraphqlField[] {
    if (depth > MAX_DEPTH) throw new UnsupportedSyntax()
    this.#take('{')
    const fields: GraphqlField[] = []
    while (this.#next() !== '}') fields.push(this.#field(depth))
    this.#take('}')
    return fields
  }

  #field(depth: number): GraphqlField {
    const key = this.#name()
    let name = key
    if (this.#next() === ':') {
      this.#take()
      name = this.#name()
    }
    const args = this.#next() === '(' ? this.#members('(', ')', depth) : new Map<string, unknown>()
    return { key, name, args, fields: this.#next() === '{' ? this.#selection(depth + 1) : [] }
  }

  #members(open: string, close: string, depth: number): Map<string, unknown> {
    if (depth > MAX_DEPTH) throw new UnsupportedSyntax()
    const members = new Map<string, unknown>()
    this.#take(open)
    while (this.#next() !== close) {
      const name = this.#name()
      this.#take(':')
      members.set(name, this.#value(depth))
    }
    this.#take(close)
    return members
  }

  /** Input objects are read into a `Map`, because the client chooses the keys. */
  #value(depth: number): unknown {
    if (this.#next() === '{') return this.#members('{', '}', depth + 1)
    const token = this.#take()
    if (token === '$') {
      const name = this.#name()
      return Object.hasOwn(this.#variables, name) ? this.#variables[name] : undefined
    }
    if (isName(token)) return token === 'null' ? null : token
    try {
      return JSON.parse(token) as unknown
    } catch {
      throw new UnsupportedSyntax()
    }
  }
}

function isName(token: string | undefined): boolean {
  return token !== undefined && /^[A-Za-z_]/.test(token)
}
