import { eachChild, kindAt, skipSpace, skipValue, stringAt } from '../../client/browser/json-scan.ts'

/**
 * Canonical layout of a JSON document for diffs: sorted keys, one value per line, strings broken at their line ends.
 * Numbers and strings keep their spelling, so that `1` and `1.0` differ here as they do on the wire.
 */
export function prettyJson(text: string): string {
  const lines: string[] = []
  write(text, skipSpace(text, 0), '', '', '', lines)
  return lines.join('\n')
}

interface Member {
  readonly key: string
  readonly keyText: string
  readonly valueAt: number
}

function write(
  text: string,
  at: number,
  indent: string,
  before: string,
  after: string,
  lines: string[],
): void {
  const kind = kindAt(text, at)
  if (kind !== 'object' && kind !== 'array') {
    writeScalar(text.slice(at, skipValue(text, at)), indent, before, after, lines)
    return
  }
  const members: Member[] = []
  eachChild(text, at, (keyAt, valueAt) => {
    const key = keyAt === -1 ? '' : stringAt(text, keyAt)
    members.push({ key, keyText: keyAt === -1 ? '' : `${JSON.stringify(key)}: `, valueAt })
  })
  const [open, close] = kind === 'array' ? ['[', ']'] : ['{', '}']
  if (members.length === 0) {
    lines.push(`${indent}${before}${open}${close}${after}`)
    return
  }
  if (kind === 'object') members.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  lines.push(`${indent}${before}${open}`)
  for (const [i, { keyText, valueAt }] of members.entries()) {
    write(text, valueAt, `${indent}  `, keyText, i === members.length - 1 ? '' : ',', lines)
  }
  lines.push(`${indent}${close}${after}`)
}

/** An escaped line end, `\n`, in a string. `\\n` is a backslash and an n. */
const LINE_END = /(?:\\.|[^\\])*?\\n/gy

function writeScalar(spelled: string, indent: string, before: string, after: string, lines: string[]): void {
  if (!spelled.startsWith('"') || !spelled.includes(String.raw`\n`)) {
    lines.push(`${indent}${before}${spelled}${after}`)
    return
  }
  const pieces = spelled.match(LINE_END) ?? []
  const read = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const rest = spelled.slice(read)
  for (const [i, piece] of [...pieces, rest].entries()) {
    const end = i === pieces.length ? after : ''
    lines.push(i === 0 ? `${indent}${before}${piece}${end}` : `${indent}  ${piece}${end}`)
  }
}
