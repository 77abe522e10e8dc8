import fc from 'fast-check'
import { type Node, parseNode } from '../../src/core/query/node.ts'

/** Random JSON texts with edge cases of query languages, and the fields in them. */

const NUMBERS = [
  '0', '1', '-1', '5', '42', '255', '256', '-0', '0.5', '1.0', '5.0', '5.5', '-0.0', '1e3', '1E3', '1e20', '1e21',
  '1e30', '1e-7', '1e-8', '0.000001', '123456.789', '9007199254740993', '9223372036854775807', '9223372036854775808',
  '-9223372036854775808', '-9223372036854775809', '18446744073709551615', '18446744073709551616',
  '123456789012345678901234567890', '1e400', '-1e400', '1700000000', '0.1', '0.30000000000000004', '1.5e300', '0.001',
  '0.0009', '2.50', '12.340000', '999999999999999', '123456789012345.678901', '0e0', '-0e5', '1.0000000', '5e-324',
] // prettier-ignore

export const WORDS = [
  '', 'a', 'b', 'abc', 'ABC', 'é', 'É', 'straße', '😀', '日本', 'true', 'false', 'True', 'null', '0', '1', '5', '5.0', '-0',
  '+5', ' 5', '5 ', '1e3', '.5', '5.', 'nan', 'inf', '-inf', '0x10', '256', '255', "it's", '"quoted"', 'back\\slash',
  'a\u0000b', 'line\nbreak\ttab', '%_', '{}', '[]', '{"a":1}', '\ud800', 'x\udc00y', '\u007f\u0001', '2023-11-14', '/',
  '.', '*', '=', '=5', '𝔘𝔫𝔦', '\u2028', '\ufeffbom', 'a😀b', '\u{10ffff}', 'Ж', 'ж', '\\u0041', 'naïve',
] // prettier-ignore

export const KEYS = [
  'a', 'b', '0', '1', '__proto__', 'constructor', 'é', 'a.b', 'x y', '[a]', '10', 'weave', '😀', 'back\\slash', '*',
] // prettier-ignore

export const REFS = [
  'weave:///a/b/object/x:1', 'weave:///a/b/object/É:2', 'weave:///a/b/object/é:2', 'weave:///a/b/object/x:10/attr/y',
] // prettier-ignore

/** A JSON string, with its characters unescaped or all escaped. */
function quoted(text: string, isEscaped: boolean): string {
  if (!isEscaped) return JSON.stringify(text)
  const units = Array.from({ length: text.length }, (_, i) =>
    text.charCodeAt(i).toString(16).padStart(4, '0'),
  )
  return `"${units.map((hex) => `\\u${hex}`).join('')}"`
}

const jsonNumber = fc.constantFrom(...NUMBERS)
const jsonWord = fc
  .tuple(fc.constantFrom(...WORDS), fc.nat(7))
  .map(([word, choice]) => quoted(word, choice === 0 && word.length > 0))

/** Around the longest text that is extracted from documents (200 bytes with its quotes), and far longer. */
const longText = fc
  .tuple(
    fc.constantFrom('x', 'é', '😀', ' y'),
    fc.oneof(fc.integer({ min: 45, max: 205 }), fc.constant(3000)),
  )
  .map(([unit, length]) => JSON.stringify(unit.repeat(length)))

export const scalar = fc.oneof(
  { weight: 30, arbitrary: jsonNumber },
  { weight: 30, arbitrary: jsonWord },
  { weight: 10, arbitrary: fc.constantFrom('true', 'false', 'null') },
  { weight: 5, arbitrary: fc.constantFrom(...REFS).map((ref) => JSON.stringify(ref)) },
  { weight: 5, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }).map((word) => JSON.stringify(word)) },
  { weight: 1, arbitrary: longText },
)

export const { value: anyValue } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    objectOf(tie('value')),
  ),
}))

function objectOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const member = fc.tuple(fc.constantFrom(...KEYS), value)
  return fc.uniqueArray(member, { maxLength: 4, selector: ([key]) => key }).map(objectText)
}

function objectText(members: readonly (readonly [string, string])[]): string {
  return `{ ${members.map(([key, text]) => `${JSON.stringify(key)}: ${text}`).join(' , ')} }`
}

/** The same key at every depth, deeper than fields are extracted. */
const deepObject = fc
  .tuple(scalar, fc.integer({ min: 2, max: 9 }))
  .map(([innermost, depth]) => `{"b":5,"a":`.repeat(depth) + innermost + '}'.repeat(depth))

/** Around the number of fields that are extracted from one document (64), and more. */
const wideObject = fc
  .array(scalar, { minLength: 58, maxLength: 70 })
  .map((values) => objectText(values.map((text, i) => [`k${i}`, text])))

export const anyObject = fc.oneof(
  { weight: 12, arbitrary: objectOf(anyValue) },
  { weight: 2, arbitrary: deepObject },
  { weight: 1, arbitrary: wideObject },
  { weight: 1, arbitrary: fc.constant('{}') },
)

/** A summary has members from which other fields are computed. */
export const anySummary = fc.oneof(
  { weight: 3, arbitrary: anyObject },
  {
    weight: 1,
    arbitrary: fc.tuple(scalar, anyValue).map(([errors, status]) =>
      objectText([
        ['status_counts', `{"success": 1, "error": ${errors}}`],
        ['weave', `{"status": ${status}, "latency_ms": 7}`],
      ]),
    ),
  },
)

/** The values of a document, with their paths as query fields. */
export function fieldValuesIn(
  root: string,
  json: string,
): { readonly field: string; readonly json: string }[] {
  const found: { field: string; json: string }[] = []
  const visit = (field: string, node: Node): void => {
    found.push({ field, json: nodeText(node) })
    // Adds the plain notation of numbers, as a number and as text.
    if (node.kind === 'number') {
      const plain = JSON.stringify(Number(node.lexeme))
      found.push({ field, json: plain }, { field, json: `"${plain}"` })
    }
    const members =
      node.kind === 'object' ? [...node.members] : node.kind === 'array' ? [...node.items.entries()] : []
    for (const [key, member] of members) {
      visit(`${field}.${String(key).replaceAll('.', String.raw`\.`)}`, member)
    }
  }
  visit(root, parseNode(Buffer.from(json)))
  return found
}

function nodeText(node: Node): string {
  if (node.kind === 'null') return 'null'
  if (node.kind === 'number') return node.lexeme
  return 'text' in node ? node.text : JSON.stringify(node.value)
}
