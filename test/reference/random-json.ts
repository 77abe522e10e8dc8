/**
 * Random JSON documents with what makes extraction hard: repeated keys, also in other spellings; escapes, lone surrogates and
 * other scripts; white space; numbers of every form; long texts and keys; deep and wide objects.
 */
export interface Random {
  (): number
}

/** Few keys, so that most documents have paths in common and some keys are repeated. */
const KEYS = [
  '"a"',
  '"b"',
  '"\\u0061"',
  '"model"',
  '"user"',
  '"user_id"',
  '"id"',
  '"tags"',
  '"ttft_ms"',
  '"a.b"',
  '"a%2eb"',
  '"q\\"uote"',
  '"back\\\\slash"',
  '"😀"',
  '"\\ud83d\\ude00"',
  '"\\ud800"',
  '"ключ"',
  '""',
  '"`\'"',
  '"tab\\t"',
]
const NUMBERS = [
  '0',
  '-0',
  '5',
  '-17',
  '5.0',
  '0.70',
  '-0.5',
  '1e3',
  '1E-7',
  '0.0001',
  '123456789012345',
  '-123456789012345',
  '1234567890123456',
  '99999999999999999999',
  '3.1415926',
  '3.141592',
  '-0.0',
  '100',
]
const WORDS = [
  'gpt-4o',
  '',
  'x',
  '*',
  '.',
  '=',
  'null',
  '\\n',
  '\\\\',
  '\\"',
  '\\u00e9',
  'é',
  '漢字',
  '😀',
  '\\ud83d\\ude00',
  '\\udc00',
  ' two words ',
  '{"a":1}'.replaceAll('"', '\\"'),
  'long '.repeat(12),
  'longer '.repeat(40),
]
const SPACES = ['', '', '', '', ' ', '\n  ', '\t', ' \r\n']

export function randomJson(random: Random): string {
  const pick = (values: readonly string[]): string => values[Math.floor(random() * values.length)] ?? ''
  const space = random() < 0.3 ? (): string => pick(SPACES) : (): string => ''
  const text = (): string => {
    let content = ''
    for (let n = Math.floor(random() * 4); n >= 0; n--) content += pick(WORDS)
    return `"${content}"`
  }
  const key = (): string => {
    const choice = random()
    if (choice < 0.9) return pick(KEYS)
    if (choice < 0.995) return `"k${Math.floor(random() * 1e6)}"`
    return `"${'k'.repeat(190 + Math.floor(random() * 20))}"`
  }
  const members = (depth: number): number => {
    const choice = random()
    if (choice < 0.99 || depth > 1) return Math.floor(random() * 7)
    return choice < 0.9995 ? Math.floor(random() * 90) : 900 + Math.floor(random() * 300)
  }
  const list = (count: number, item: () => string): string => {
    let items = space()
    for (let n = 0; n < count; n++) items += `${n === 0 ? '' : `,${space()}`}${item()}${space()}`
    return items
  }
  const value = (depth: number): string => {
    const choice = random()
    if (depth < 9 && choice < 0.34)
      return `{${list(members(depth), () => `${key()}${space()}:${space()}${value(depth + 1)}`)}}`
    if (depth < 9 && choice < 0.42) return `[${list(Math.floor(random() * 4), () => value(depth + 1))}]`
    if (choice < 0.66) return text()
    if (choice < 0.86) return pick(NUMBERS)
    return pick(['true', 'false', 'null', 'null'])
  }
  const root = `{${list(members(0), () => `${key()}${space()}:${space()}${value(1)}`)}}`
  return random() < 0.95 ? `${space()}${root}${space()}` : value(0)
}
