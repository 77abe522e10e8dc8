import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/**
 * Keeps words out that mean nothing to outsiders: private names of things that have a name in this field. docs/glossary.md
 * has the words to use instead. An ordinary English word does not belong here, whatever it once stood for.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** As identifiers, or as part of one: matched in code without comments and strings. */
const PRIVATE_IDENTIFIERS: readonly RegExp[] = [
  /\b(?:MOST|LEAST)_[A-Z]/,
  /\bunsettled/i,
  /[pP]ulledOut/,
  /[kK]ept(?:Sums|Usage)/,
  /\b[sS]ieve/,
  /\bquickForm/,
  /\b(?:time-?[eE]dge|TimeEdge)/,
  /\b(?:refHops|RefHop|Kinship|kin)\b/,
  /\b(?:ReadTurns|queueTurns?)\b/,
  /\b(?:holdMs|patience|PATIENCE)/,
  /\b[aA]nalyst/,
  /\bSurroundings\b/,
  /\b[sS]aidList\b/,
]

/** In prose: docs, UI text, error messages, comments. */
const PRIVATE_PHRASES: readonly RegExp[] = [
  /\b(?:straight|careful) way\b/i,
  /\bunsettled\b/i,
  /\bkept (?:sums|usage)\b/i,
  /\bquick form\b/i,
  /\btime edge\b/i,
]

/** Of settings, paths and metrics. */
const PRIVATE_NAMES: readonly RegExp[] = [
  /HEDDLE_(?:ROOM|HOLD)_/,
  /\bHEDDLE_\w+_AT_ONCE\b/,
  /\/api\/v1\/[^\s'"`]*\/(?:numbers|settle)\b/,
  /heddle_http_problems_total/,
]

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && file !== 'package-lock.json' && !file.startsWith('docs/images/'))
  .filter((file) => existsSync(join(ROOT, file)))
  .filter((file) => !file.endsWith('vocabulary.test.ts') && !file.endsWith('openapi.json'))

const code = tracked.filter((file) => /\.(?:ts|tsx|mjs|sql|css)$/.test(file))
const docs = tracked.filter((file) => file.endsWith('.md'))

describe('words that mean nothing to outsiders', () => {
  test('are in no identifier', () => {
    expect(findings(code, PRIVATE_IDENTIFIERS, withoutCommentsAndStrings)).toEqual([])
  })

  test('are in no file name', () => {
    const names = /\b(?:unsettled|analyst|sieve|hops|kinship)\b/
    expect(tracked.filter((file) => names.test(file.replaceAll(/[-_/.]/g, ' ')))).toEqual([])
  })

  test('are in no comment, message, page or document', () => {
    expect(findings([...code, ...docs], PRIVATE_PHRASES, (text) => text)).toEqual([])
  })

  test('are in no setting, path or metric', () => {
    expect(findings(tracked, PRIVATE_NAMES, (text) => text)).toEqual([])
  })
})

test.each(['answers', 'behind', 'told', 'heard', 'World', 'leaves', 'settled', 'room', 'engine', 'Exchange'])(
  'the ordinary word %s is allowed',
  (word) => {
    const patterns = [...PRIVATE_IDENTIFIERS, ...PRIVATE_PHRASES, ...PRIVATE_NAMES]
    expect(patterns.filter((pattern) => pattern.test(word))).toEqual([])
  },
)

function findings(
  files: readonly string[],
  patterns: readonly RegExp[],
  prepare: (text: string) => string,
): string[] {
  return files.flatMap((file) => {
    const lines = prepare(readFileSync(join(ROOT, file), 'utf8')).split('\n')
    return lines.flatMap((line, index) => {
      const found = patterns.map((pattern) => pattern.exec(line)?.[0]).filter((match) => match !== undefined)
      return found.map((match) => `${file}:${index + 1} ${match}`)
    })
  })
}

/** Keeps the line numbers. */
function withoutCommentsAndStrings(text: string): string {
  const blank = (match: string): string => match.replaceAll(/[^\n]/g, ' ')
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, blank)
    .replaceAll(/(?<!:)\/\/.*$/gm, blank)
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, blank)
    .replaceAll(/`(?:[^`\\]|\\.)*`/g, blank)
}
