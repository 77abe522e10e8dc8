import { describe, expect, test } from 'vitest'
import { files, inlineCode, read, withoutComments } from './repository.ts'

/** The decision records: their index, their dates, and the code that they name. */
const FIRST_COMMIT = '2026-11-15'
const INDEX = 'docs/decisions/README.md'
const records = files.filter((file) => /^docs\/decisions\/\d{4}-.*\.md$/.test(file))

interface Heading {
  readonly number: string
  readonly title: string
  readonly status: string
  readonly date: string
}

function heading(record: string): Heading {
  const text = read(record)
  const [, number = '', title = ''] = /^# (\d{4}): (.+)$/m.exec(text) ?? []
  const [, status = '', date = ''] = /^\*\*Status:\*\* (.+), (\d{4}-\d{2}-\d{2})\.$/m.exec(text) ?? []
  return { number, title, status, date }
}

describe('decision records', () => {
  test.each(records)('%s has a number, title, status and date', (record) => {
    const { number, title, status, date } = heading(record)
    expect(record).toContain(`/${number}-`)
    expect(title).not.toBe('')
    expect(status).toMatch(/^(?:proposed|accepted|rejected|superseded by \[\d{4}\]\(\d{4}-[\w-]+\.md\))$/)
    expect(date >= FIRST_COMMIT, `${date} is before the first commit`).toBe(true)
  })

  test.each(records)('%s has no date before the first commit', (record) => {
    const dates = read(record).match(/(?<![\w-])20\d{2}-[01]\d(?:-[0-3]\d)?\b/g) ?? []
    expect(dates.filter((date) => date < FIRST_COMMIT.slice(0, date.length))).toEqual([])
  })

  test('are in the index, with the same title, status and date', () => {
    const rows = read(INDEX)
      .split('\n')
      .filter((line) => line.startsWith('| ['))
    const expected = records.map((record) => {
      const { number, title, status, date } = heading(record)
      return `| [${number}](${record.slice('docs/decisions/'.length)}) | ${title} | ${status} | ${date} |`
    })
    expect(rows).toEqual(expected)
  })
})

/** Names of others that records discuss: of ClickHouse, Node, React and files of ClickHouse. */
const FOREIGN = new Set([
  'JSON.parse',
  'JSON.stringify',
  'CAP_SYS_NICE',
  'all_2_2_1',
  'async_insert',
  'dangerouslySetInnerHTML',
  'deduplication_log_1.txt',
  'min_parts_to_merge_at_once',
  'old_parts_lifetime',
  'recently_deleted',
  'select_sequential_consistency',
  'skip_unavailable_shards',
  'tmp_insert_all_2_2_1',
  'user_files_path',
])

const sources = files
  .filter((file) => /^(?:src|test|scripts|migrations|bench)\/.*\.(?:ts|tsx|mjs|sql)$/.test(file))
  .filter((file) => !file.startsWith('test/unit/decisions'))
  .map((file) => withoutComments(read(file)))
const words = new Set(sources.flatMap((source) => source.match(/[A-Za-z_]\w*/g) ?? []))

/** Two words or more, or a call, or a member of something. */
const NAME =
  /^#?(?:[A-Za-z]+(?:_|[a-z](?=[A-Z])|[A-Z](?=[a-z]))\w*|[A-Za-z_]\w*(?:\.\w+)+|[A-Za-z_][\w.]*\(\))$/

function isKnown(code: string): boolean {
  const [first = '', member] = code.replace(/^#/, '').replace(/\(\)$/, '').split('.')
  if (member === undefined || !/^[A-Z][a-z]/.test(first)) return words.has(first)
  const declaration = new RegExp(String.raw`\b(?:class|interface|type|const|enum) ${first}\b`)
  return sources.some(
    (source) => declaration.test(source) && new RegExp(String.raw`\b${member}\b`).test(source),
  )
}

test.each(records)('%s names code that exists', (record) => {
  const names = inlineCode(read(record)).filter((code) => NAME.test(code) && !FOREIGN.has(code))
  expect(names.filter((code) => !isKnown(code))).toEqual([])
})
