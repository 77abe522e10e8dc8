/** Tokenizer for syntax highlighting. It approximates the grammar, because it only affects colors. */
type TokenKind = 'plain' | 'comment' | 'string' | 'number' | 'keyword' | 'name' | 'decorator'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
}

export type Language = 'python' | 'javascript' | 'text'

export function languageFromFileName(fileName: string): Language {
  if (/\.pyi?$/.test(fileName)) return 'python'
  return /\.(?:[cm]?[jt]s|[jt]sx)$/.test(fileName) ? 'javascript' : 'text'
}

const PYTHON_KEYWORDS =
  'and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return True try while with yield'
const JAVASCRIPT_KEYWORDS =
  'abstract as async await break case catch class const continue default delete do else enum export extends false finally for from function if implements import in instanceof interface let new null of private public readonly return satisfies static super switch this throw true try type typeof undefined var void while yield'

interface LanguageRules {
  readonly pattern: RegExp
  readonly keywords: ReadonlySet<string>
  /** Keywords that are followed by the name of a definition. */
  readonly definitionKeywords: ReadonlySet<string>
}

// Each alternative of a pattern is one kind, in the order of KINDS. Unclosed strings reach to the end.
const KINDS: readonly TokenKind[] = ['comment', 'string', 'decorator', 'number', 'name']

const RULES: Readonly<Record<Exclude<Language, 'text'>, LanguageRules>> = {
  python: {
    pattern:
      /(#[^\n]*)|((?:[rbfuRBFU]{0,2})(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))|(@[\w.]+)|(\b\d[\w.]*)|([\p{L}_][\p{L}\p{N}_]*)/gu,
    keywords: new Set(PYTHON_KEYWORDS.split(' ')),
    definitionKeywords: new Set(['def', 'class']),
  },
  javascript: {
    pattern:
      /(\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|(`(?:\\.|[^`\\])*`?|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|(@[\w.]+)|(\b\d[\w.]*)|([\p{L}_$][\p{L}\p{N}_$]*)/gu,
    keywords: new Set(JAVASCRIPT_KEYWORDS.split(' ')),
    definitionKeywords: new Set(['function', 'class', 'interface', 'type', 'enum']),
  },
}

export function tokenize(code: string, language: Language): Token[] {
  if (language === 'text') return [{ kind: 'plain', text: code }]
  const { pattern, keywords, definitionKeywords } = RULES[language]
  const tokens: Token[] = []
  let plain = ''
  const push = (kind: TokenKind, text: string): void => {
    if (plain !== '') tokens.push({ kind: 'plain', text: plain })
    plain = ''
    tokens.push({ kind, text })
  }
  let at = 0
  let isDefinition = false
  pattern.lastIndex = 0
  for (let match = pattern.exec(code); match !== null; match = pattern.exec(code)) {
    const [text] = match
    plain += code.slice(at, match.index)
    const matched = KINDS[match.slice(1).findIndex((group) => group !== undefined)] ?? 'plain'
    const kind =
      matched !== 'name' ? matched : keywords.has(text) ? 'keyword' : isDefinition ? 'name' : 'plain'
    if (kind === 'plain') plain += text
    else push(kind, text)
    isDefinition = definitionKeywords.has(text)
    at = match.index + text.length
  }
  plain += code.slice(at)
  if (plain !== '') tokens.push({ kind: 'plain', text: plain })
  return tokens
}

/** Tokens by line. Multi-line tokens are split. */
export function tokenizeLines(code: string, language: Language): Token[][] {
  const lines: Token[][] = [[]]
  for (const { kind, text } of tokenize(code, language)) {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ kind, text: part })
    }
  }
  return lines
}
