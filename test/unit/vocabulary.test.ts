import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/**
 * Keeps retired terms out of identifiers, file names, UI text, docs, settings and paths. docs/glossary.md has the terms
 * to use instead.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Retired as identifiers, or as part of one: matched in code without comments and strings, and in file names. */
const RETIRED_IDENTIFIERS: readonly RegExp[] = [
  /\b(?:MOST|LEAST)_[A-Z]/,
  /AtOnce\b/,
  /\b(?:room|rooms)(?:Wait)?\b/,
  // `engine` alone is a column of ClickHouse's system tables.
  /[eE]ngine[A-Z]|[a-z]Engine\b|\bEngine\b|\bengines?\.(?!includes|startsWith)/,
  /\bunsettled\b|\b(?:is)?[sS]ettled?(?:Call|Item)?\b/,
  /\b(?:says|leaves|pulledOut|PulledOut|leavesOf)\b/,
  /[kK]ept(?:Sums|Usage)/,
  /\b[sS]ieve/,
  /\bquickForm|\bcountQuickly/,
  /\b(?:time-?[eE]dge|TimeEdge)/,
  /\b(?:refHops|RefHop|Kinship|kin)\b/,
  /\b(?:ReadTurns|takeTurn|queueTurns?)\b/,
  /\b(?:holdMs|patience|PATIENCE)/,
  /\b(?:told|hear|heard)\b/,
  /\b(?:Exchange|exchangeOf|openExchange)\b/,
  /\b(?:answers|Answers?|answered|[a-z]+Answers?)\b/,
  /\bRecordReader\b/,
  /\b[aA]nalyst/,
  /\b(?:World|Surroundings)\b/,
  /\b(?:Numbers(?:Page|Request|Search|Group)|useNumbers|numbersPage)\b/,
  // `judge` alone is the field's word for a model that scores.
  /[jJ]udg(?:ing|ed|ment)/,
  /\b(?:saidList|SaidList|undone|Undone)\b/,
  /\bbehind\b/,
]

/** Retired in prose: docs, UI text, error messages, comments. */
const RETIRED_PHRASES: readonly RegExp[] = [
  /\bthe way (?:in|out)\b/i,
  /\b(?:straight|careful) way\b/i,
  /\bthe look\b(?!ing| of)/i,
  /\b(?:the|an?|its|built-in|own) engine\b/i,
  /\bunsettled\b/i,
  /\bpulled out\b/i,
  /\bkept (?:sums|usage)\b/i,
  /\bquick form\b/i,
  /\btime edge\b/i,
  /\bby turns\b/i,
  /\bis told\b|\bare told\b/i,
  /\brooms?\b/i,
  /\bjudg(?:ed|ing)\b/i,
]

/** UI copy that has a better word. */
const RETIRED_COPY: readonly RegExp[] = [
  /\bSet up\b(?! )/,
  /\bMake (?:the|a) (?:score|queue|key)\b/,
  /\bTogether\b/,
  /\bArithmetic\b/,
  /\bwhen it is revoked\b/,
  /\bAs tried\b/,
  /\bLeave it\b/,
  /\bmeasured by\b/,
  /\bequal lines\b/,
  /\bWhere it is used\b/,
  /\bwithout a name\b/,
  /\bof somebody who can sign in\b/,
]

const RETIRED_NAMES: readonly RegExp[] = [
  /HEDDLE_(?:ROOM|HOLD)_/,
  /_AT_ONCE\b/,
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
const pages = tracked.filter((file) => /^src\/web\/.*\.tsx?$/.test(file) && !file.includes('.test.'))

describe('retired terms', () => {
  test('are in no identifier', () => {
    expect(findings(code, RETIRED_IDENTIFIERS, withoutCommentsAndStrings)).toEqual([])
  })

  test('are in no file name', () => {
    const names =
      /\b(?:engine|rooms?|settled?|unsettled|leaves|numbers|judging|analyst|kept|hops|answers?|exchange)\b/
    expect(tracked.filter((file) => names.test(file.replaceAll(/[-_/.]/g, ' ')))).toEqual([])
  })

  test('are in no comment, message, page or document', () => {
    expect(findings([...code, ...docs], RETIRED_PHRASES, (text) => text)).toEqual([])
  })

  test('are in no text of the UI', () => {
    expect(findings(pages, RETIRED_COPY, (text) => text)).toEqual([])
  })

  test('are in no setting, path or metric', () => {
    expect(findings(tracked, RETIRED_NAMES, (text) => text)).toEqual([])
  })
})

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
