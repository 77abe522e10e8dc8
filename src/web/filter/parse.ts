import type { ComparisonOperator, Filter, FilterValue } from './ast.ts'
import { conjunction } from './ast.ts'
import { conditionError } from './check.ts'
import { parseDuration } from './duration.ts'
import { canonicalValue, findField } from './fields.ts'

/**
 * Parser of the filter language: `inputs.model = "gpt-4o" and latency > 2s or status = error`. `and` binds tighter than
 * `or`, and is optional.
 */
export type ParseResult =
  | { readonly ok: true; readonly filter: Filter | undefined }
  | { readonly ok: false; readonly at: number; readonly reason: string }

/** What the grammar expects at the end of the text, for completion. */
export type CompletionContext =
  | { readonly kind: 'field'; readonly from: number; readonly prefix: string }
  | { readonly kind: 'operator'; readonly from: number; readonly field: string; readonly prefix: string }
  | { readonly kind: 'value'; readonly from: number; readonly field: string; readonly prefix: string }
  | { readonly kind: 'connective'; readonly from: number; readonly prefix: string }

export function parseFilter(text: string): ParseResult {
  const parser = new Parser(text)
  try {
    return { ok: true, filter: parser.parse() }
  } catch (error) {
    if (error instanceof FilterSyntaxError) return { ok: false, at: error.at, reason: error.message }
    throw error
  }
}

/** The completion context at the end of `text`, the part of the filter before the caret. */
export function completionContext(text: string): CompletionContext {
  const parser = new Parser(text)
  try {
    parser.parse()
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error
  }
  return parser.context
}

class FilterSyntaxError extends Error {
  readonly at: number

  constructor(at: number, reason: string) {
    super(reason)
    this.at = at
  }
}

const SPACE = /\s*/y
const FIELD = /[\p{L}_$][\p{L}\p{N}_$.\-[\]*\\/@]*|`[^`]*`?/uy
const OPERATOR = /!=|>=|<=|==|!~|[=><~]|[a-z]+/iy
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y
const BARE = /[^\s(),"'=<>!~]+/y
const WORD = /[a-z]+/iy
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

class Parser {
  readonly #text: string
  #at = 0
  /** A valid sentence about a field that does not exist, or with a value of the wrong type. */
  #error: FilterSyntaxError | undefined
  context: CompletionContext = { kind: 'field', from: 0, prefix: '' }

  constructor(text: string) {
    this.#text = text
  }

  parse(): Filter | undefined {
    this.#skip()
    if (this.#isEnd()) return undefined
    const filter = this.#parseOr()
    if (!this.#isEnd()) throw this.#syntaxError('unexpected )')
    if (this.#error !== undefined) throw this.#error
    return filter
  }

  #parseOr(): Filter {
    const parts = [this.#parseAnd()]
    while (this.#takeWord('or')) parts.push(this.#parseAnd())
    return parts.length === 1
      ? parts[0]!
      : { kind: 'or', operands: parts.flatMap((part) => (part.kind === 'or' ? part.operands : [part])) }
  }

  #parseAnd(): Filter {
    const parts = [this.#parseTerm()]
    for (;;) {
      this.#expectConnective()
      const hasAnd = this.#takeWord('and')
      if (!hasAnd && (this.#isEnd() || this.#text[this.#at] === ')' || this.#isWord('or'))) break
      parts.push(this.#parseTerm())
    }
    return conjunction(parts)!
  }

  #parseTerm(): Filter {
    this.#skip()
    if (this.#take('(')) {
      const inner = this.#parseOr()
      this.#skip()
      if (!this.#take(')')) throw this.#syntaxError('missing )')
      return inner
    }
    if (this.#takeWord('not')) return { kind: 'not', operand: this.#parseTerm() }
    const from = this.#at
    const condition = this.#parseCondition()
    const reason = conditionError(condition)
    if (reason !== undefined) this.#error ??= new FilterSyntaxError(from, reason)
    return condition
  }

  #parseCondition(): Filter {
    const field = this.#parseField()
    const operator = this.#parseOperator(field)
    switch (operator) {
      case 'exists':
        return { kind: 'exists', field, isNegated: false }
      case 'missing':
        return { kind: 'exists', field, isNegated: true }
      case 'in':
      case 'not in':
        return { kind: 'in', field, values: this.#parseList(field), isNegated: operator === 'not in' }
      case '~':
      case '!~':
        return { kind: 'contains', field, value: this.#parseText(field), isNegated: operator === '!~' }
      default: {
        const value = this.#parseValue(field)
        if (value !== null) return { kind: 'compare', field, operator, value }
        if (operator !== '=' && operator !== '!=')
          throw this.#syntaxError('null cannot be compared with < or >')
        return { kind: 'exists', field, isNegated: operator === '=' }
      }
    }
  }

  #parseField(): string {
    this.#skip()
    const from = this.#at
    const token = this.#match(FIELD)
    if (this.#isEnd() && !this.#mayBeConnective(from, token ?? ''))
      this.context = { kind: 'field', from, prefix: token ?? '' }
    if (token === undefined) throw this.#syntaxError('expected a field, such as inputs.model or status')
    const field = token.replaceAll('`', '')
    if (field === '') throw this.#syntaxError('expected a field')
    return findField(field)?.name ?? field
  }

  /** After a condition, a prefix of `and` or `or` is more likely a connective than a field. */
  #mayBeConnective(from: number, token: string): boolean {
    const isAfterCondition = this.context.kind === 'connective' && this.context.from === from
    return (
      isAfterCondition && token !== '' && ['and', 'or'].some((word) => word.startsWith(token.toLowerCase()))
    )
  }

  #parseOperator(field: string): ComparisonOperator | '~' | '!~' | 'in' | 'not in' | 'exists' | 'missing' {
    const hasSpace = this.#skip()
    const from = this.#at
    const token = this.#match(OPERATOR)
    if (this.#isEnd() && (hasSpace || token !== undefined))
      this.context = { kind: 'operator', from, field, prefix: token ?? '' }
    const word = token?.toLowerCase()
    switch (word) {
      case '=':
      case '==':
      case 'is':
        return '='
      case '!=':
      case '>':
      case '>=':
      case '<':
      case '<=':
      case '~':
      case '!~':
      case 'in':
      case 'exists':
      case 'missing':
        return word
      case 'contains':
        return '~'
      case 'not':
        return this.#parseNegatedOperator(field)
      default:
        this.#at = from
        throw this.#syntaxError(
          `expected an operator after ${field}: =, !=, >, <, ~ (contains), in or exists`,
        )
    }
  }

  #parseNegatedOperator(field: string): '!~' | 'not in' | 'missing' {
    if (this.#takeWord('contains')) return '!~'
    if (this.#takeWord('in')) return 'not in'
    if (this.#takeWord('exists')) return 'missing'
    if (this.#isEnd()) this.context = { kind: 'operator', from: this.#at, field, prefix: '' }
    throw this.#syntaxError('expected in, contains or exists after not')
  }

  #parseList(field: string): FilterValue[] {
    this.#skip()
    if (!this.#take('(')) throw this.#syntaxError('expected a list after in: (a, b)')
    const values: FilterValue[] = []
    do {
      const value = this.#parseValue(field)
      if (value === null) throw this.#syntaxError('null is not allowed in a list')
      values.push(value)
      this.#skip()
    } while (this.#take(','))
    if (!this.#take(')')) throw this.#syntaxError('missing ) after the list')
    return values
  }

  #parseText(field: string): string {
    const value = this.#rawValue(field)
    return value.text
  }

  /** `null` for the bare word. Quoted text is always text. */
  #parseValue(field: string): FilterValue | null {
    const { text, isQuoted } = this.#rawValue(field)
    if (isQuoted) return { kind: 'text', text: canonicalValue(field, text) }
    const isDuration = findField(field)?.type === 'duration'
    const ms = isDuration ? parseDuration(NUMBER.test(text) ? `${text}ms` : text) : undefined
    if (ms !== undefined) return { kind: 'duration', ms }
    if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true' }
    if (text === 'null') return null
    if (NUMBER.test(text)) return { kind: 'number', text }
    return { kind: 'text', text: canonicalValue(field, text) }
  }

  #rawValue(field: string): { readonly text: string; readonly isQuoted: boolean } {
    this.#skip()
    const from = this.#at
    const quoted = this.#match(QUOTED)
    if (quoted !== undefined) {
      if (this.#isEnd()) this.context = { kind: 'value', from, field, prefix: quoted }
      return { text: unquote(quoted), isQuoted: true }
    }
    const bare = this.#match(BARE)
    // With an open quote, the rest of the text is the value being typed.
    const prefix = bare ?? this.#text.slice(from)
    if (this.#isEnd() || /^["']/.test(prefix)) this.context = { kind: 'value', from, field, prefix }
    if (bare === undefined) {
      throw this.#syntaxError(
        /^["']/.test(prefix) ? 'missing closing quote' : `expected a value for ${field}`,
      )
    }
    return { text: bare, isQuoted: false }
  }

  #expectConnective(): void {
    const hasSpace = this.#skip()
    const word = /[a-z]*$/iy
    word.lastIndex = this.#at
    if (hasSpace && word.test(this.#text)) {
      this.context = { kind: 'connective', from: this.#at, prefix: this.#text.slice(this.#at) }
    }
  }

  #isWord(word: string): boolean {
    WORD.lastIndex = this.#at
    return WORD.exec(this.#text)?.[0].toLowerCase() === word
  }

  #takeWord(word: string): boolean {
    this.#skip()
    if (!this.#isWord(word)) return false
    // `order = 1` does not start with the word `or`.
    const after = this.#text[this.#at + word.length]
    if (after !== undefined && !/[\s()"']/.test(after)) return false
    this.#at += word.length
    this.#skip()
    if (this.#isEnd()) this.context = { kind: 'field', from: this.#at, prefix: '' }
    return true
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined || found === '') return undefined
    this.#at += found.length
    return found
  }

  /** Skips whitespace. Returns whether there was any. */
  #skip(): boolean {
    return this.#match(SPACE) !== undefined
  }

  #isEnd(): boolean {
    return this.#at >= this.#text.length
  }

  #syntaxError(reason: string): FilterSyntaxError {
    return new FilterSyntaxError(this.#at, reason)
  }
}

function unquote(quoted: string): string {
  if (quoted.startsWith('"')) {
    try {
      return JSON.parse(quoted) as string
    } catch {
      // Unknown escapes stand for their character.
    }
  }
  return quoted.slice(1, -1).replaceAll(/\\(.)/g, '$1')
}
