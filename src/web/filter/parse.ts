import type { Comparison, Filter, Value } from './ast.ts'
import { allOf } from './ast.ts'
import { parseDuration } from './duration.ts'
import { findField } from './fields.ts'

/**
 * Reads a filter as people write it: `inputs.model = "gpt-4o" and latency > 2s or status = error`. `and` binds tighter
 * than `or`, and may be left out.
 */
export type Parsed =
  | { readonly ok: true; readonly filter: Filter | undefined }
  | { readonly ok: false; readonly at: number; readonly reason: string }

/** What may stand where the text ends, for the list that completes it. */
export type Expectation =
  | { readonly kind: 'field'; readonly from: number; readonly prefix: string }
  | { readonly kind: 'operator'; readonly from: number; readonly field: string; readonly prefix: string }
  | { readonly kind: 'value'; readonly from: number; readonly field: string; readonly prefix: string }
  | { readonly kind: 'connective'; readonly from: number; readonly prefix: string }

export function parseFilter(text: string): Parsed {
  const parser = new Parser(text)
  try {
    return { ok: true, filter: parser.whole() }
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, at: error.at, reason: error.message }
    throw error
  }
}

/** What is expected at the end of the text, which is all that stands before the caret. */
export function expectedAt(text: string): Expectation {
  const parser = new Parser(text)
  try {
    parser.whole()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
  }
  return parser.expectation
}

class Unreadable extends Error {
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
  expectation: Expectation = { kind: 'field', from: 0, prefix: '' }

  constructor(text: string) {
    this.#text = text
  }

  whole(): Filter | undefined {
    this.#skip()
    if (this.#isEnd()) return undefined
    const filter = this.#either()
    if (!this.#isEnd()) throw this.#unreadable('one bracket too many')
    return filter
  }

  #either(): Filter {
    const parts = [this.#all()]
    while (this.#takeWord('or')) parts.push(this.#all())
    return parts.length === 1
      ? parts[0]!
      : { kind: 'or', of: parts.flatMap((part) => (part.kind === 'or' ? part.of : [part])) }
  }

  #all(): Filter {
    const parts = [this.#one()]
    for (;;) {
      this.#expectConnective()
      const hasWord = this.#takeWord('and')
      if (!hasWord && (this.#isEnd() || this.#text[this.#at] === ')' || this.#isWord('or'))) break
      parts.push(this.#one())
    }
    return allOf(parts)!
  }

  #one(): Filter {
    this.#skip()
    if (this.#take('(')) {
      const inner = this.#either()
      this.#skip()
      if (!this.#take(')')) throw this.#unreadable('a bracket is not closed')
      return inner
    }
    if (this.#takeWord('not')) return { kind: 'not', of: this.#one() }
    return this.#condition()
  }

  #condition(): Filter {
    const field = this.#field()
    const operator = this.#operator(field)
    switch (operator) {
      case 'exists':
        return { kind: 'exists', field, isNegated: false }
      case 'missing':
        return { kind: 'exists', field, isNegated: true }
      case 'in':
      case 'not in':
        return { kind: 'in', field, values: this.#values(field), isNegated: operator === 'not in' }
      case '~':
      case '!~':
        return { kind: 'contains', field, value: this.#text_(field), isNegated: operator === '!~' }
      default: {
        const value = this.#value(field)
        if (value !== null) return { kind: 'compare', field, operator, value }
        if (operator !== '=' && operator !== '!=')
          throw this.#unreadable('null is not more or less than anything')
        return { kind: 'exists', field, isNegated: operator === '=' }
      }
    }
  }

  #field(): string {
    this.#skip()
    const from = this.#at
    const spelled = this.#match(FIELD)
    if (this.#isEnd() && !this.#mayBeConnective(from, spelled ?? ''))
      this.expectation = { kind: 'field', from, prefix: spelled ?? '' }
    if (spelled === undefined) throw this.#unreadable('a field is missing, such as inputs.model or status')
    const field = spelled.replaceAll('`', '')
    if (field === '') throw this.#unreadable('a field is missing')
    return findField(field)?.name ?? field
  }

  /** The beginning of `and` or `or` after a condition is more likely that than a field. */
  #mayBeConnective(from: number, spelled: string): boolean {
    const isAfter = this.expectation.kind === 'connective' && this.expectation.from === from
    return isAfter && spelled !== '' && ['and', 'or'].some((word) => word.startsWith(spelled.toLowerCase()))
  }

  #operator(field: string): Comparison | '~' | '!~' | 'in' | 'not in' | 'exists' | 'missing' {
    const hasSpace = this.#skip()
    const from = this.#at
    const spelled = this.#match(OPERATOR)
    if (this.#isEnd() && (hasSpace || spelled !== undefined))
      this.expectation = { kind: 'operator', from, field, prefix: spelled ?? '' }
    const word = spelled?.toLowerCase()
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
        return this.#negated(field)
      default:
        this.#at = from
        throw this.#unreadable(
          `${field} is held against nothing: add =, !=, >, <, ~ (contains), in or exists`,
        )
    }
  }

  #negated(field: string): '!~' | 'not in' | 'missing' {
    if (this.#takeWord('contains')) return '!~'
    if (this.#takeWord('in')) return 'not in'
    if (this.#takeWord('exists')) return 'missing'
    if (this.#isEnd()) this.expectation = { kind: 'operator', from: this.#at, field, prefix: '' }
    throw this.#unreadable('after not comes in, contains or exists')
  }

  #values(field: string): Value[] {
    this.#skip()
    if (!this.#take('(')) throw this.#unreadable('in needs a list: (a, b)')
    const values: Value[] = []
    do {
      const value = this.#value(field)
      if (value === null) throw this.#unreadable('null cannot stand in a list')
      values.push(value)
      this.#skip()
    } while (this.#take(','))
    if (!this.#take(')')) throw this.#unreadable('the list is not closed')
    return values
  }

  #text_(field: string): string {
    const value = this.#spelled(field)
    return value.text
  }

  /** null for the word; text in quotes is always text. */
  #value(field: string): Value | null {
    const { text, isQuoted } = this.#spelled(field)
    if (isQuoted) return { kind: 'text', text }
    const isDuration = findField(field)?.type === 'duration'
    const ms = isDuration ? parseDuration(NUMBER.test(text) ? `${text}ms` : text) : undefined
    if (ms !== undefined) return { kind: 'duration', ms }
    if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true' }
    if (text === 'null') return null
    return { kind: NUMBER.test(text) ? 'number' : 'text', text }
  }

  #spelled(field: string): { readonly text: string; readonly isQuoted: boolean } {
    this.#skip()
    const from = this.#at
    const quoted = this.#match(QUOTED)
    if (quoted !== undefined) {
      if (this.#isEnd()) this.expectation = { kind: 'value', from, field, prefix: quoted }
      return { text: unquote(quoted), isQuoted: true }
    }
    const bare = this.#match(BARE)
    // A quote that is still open: everything behind it is being typed.
    const prefix = bare ?? this.#text.slice(from)
    if (this.#isEnd() || /^["']/.test(prefix)) this.expectation = { kind: 'value', from, field, prefix }
    if (bare === undefined) {
      throw this.#unreadable(/^["']/.test(prefix) ? 'a quote is not closed' : `what should ${field} be?`)
    }
    return { text: bare, isQuoted: false }
  }

  #expectConnective(): void {
    const hasSpace = this.#skip()
    const word = /[a-z]*$/iy
    word.lastIndex = this.#at
    if (hasSpace && word.test(this.#text)) {
      this.expectation = { kind: 'connective', from: this.#at, prefix: this.#text.slice(this.#at) }
    }
  }

  #isWord(word: string): boolean {
    WORD.lastIndex = this.#at
    return WORD.exec(this.#text)?.[0].toLowerCase() === word
  }

  #takeWord(word: string): boolean {
    this.#skip()
    if (!this.#isWord(word)) return false
    // `order = 1` begins with no `or`.
    const after = this.#text[this.#at + word.length]
    if (after !== undefined && !/[\s()"']/.test(after)) return false
    this.#at += word.length
    this.#skip()
    if (this.#isEnd()) this.expectation = { kind: 'field', from: this.#at, prefix: '' }
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

  /** Whether there was any white space. */
  #skip(): boolean {
    return this.#match(SPACE) !== undefined
  }

  #isEnd(): boolean {
    return this.#at >= this.#text.length
  }

  #unreadable(reason: string): Unreadable {
    return new Unreadable(this.#at, reason)
  }
}

function unquote(quoted: string): string {
  if (quoted.startsWith('"')) {
    try {
      return JSON.parse(quoted) as string
    } catch {
      // An escape that JSON does not know stands for its character.
    }
  }
  return quoted.slice(1, -1).replaceAll(/\\(.)/g, '$1')
}
