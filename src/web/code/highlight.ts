import { highlightCode, styleTags, tagHighlighter, tags } from '@lezer/highlight'
import { parser as javascript } from '@lezer/javascript'
import { parser as python } from '@lezer/python'

/** A piece of a line. `kind` names its color; it is empty for plain text. */
export interface Token {
  readonly kind: string
  readonly text: string
}

/** The grammars mark only the `@` of a decorator. */
const DECORATORS = styleTags({
  'Decorator/At Decorator/"@" Decorator/"." Decorator/VariableName Decorator/PropertyName': tags.meta,
  'Decorator/CallExpression/VariableName Decorator/MemberExpression/VariableName': tags.meta,
})

const PARSERS = [
  { fileName: /\.pyi?$/, parser: python.configure({ props: [DECORATORS] }) },
  { fileName: /\.[cm]?ts$/, parser: javascript.configure({ dialect: 'ts', props: [DECORATORS] }) },
  {
    fileName: /\.(?:[cm]?js|[jt]sx)$/,
    parser: javascript.configure({ dialect: 'ts jsx', props: [DECORATORS] }),
  },
]

const HIGHLIGHTER = tagHighlighter([
  { tag: tags.comment, class: 'comment' },
  { tag: [tags.string, tags.escape, tags.regexp], class: 'string' },
  { tag: tags.number, class: 'number' },
  { tag: [tags.keyword, tags.bool], class: 'keyword' },
  {
    tag: [
      tags.function(tags.definition(tags.variableName)),
      tags.definition(tags.className),
      tags.definition(tags.typeName),
    ],
    class: 'name',
  },
  { tag: tags.meta, class: 'decorator' },
])

/** The tokens of each line of a file. The language follows from the name; files of other languages are plain text. */
export function highlightLines(code: string, fileName: string): Token[][] {
  const parser = PARSERS.find((each) => each.fileName.test(fileName))?.parser
  if (parser === undefined) return code.split('\n').map((text) => [{ kind: '', text }])
  const lines: Token[][] = [[]]
  highlightCode(
    code,
    parser.parse(code),
    HIGHLIGHTER,
    (text, kind) => lines.at(-1)?.push({ kind, text }),
    () => lines.push([]),
  )
  return lines
}
