import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ruleProblems } from '../../scripts/generate/specification-page.ts'
import { TABLES } from '../conformance/bodies.ts'
import { registeredChecks } from '../conformance/rows.ts'

/** docs/specification.md and the conformance suite are about the same rules and fields. */
const page = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8')
const rows = registeredChecks()

describe('the specification', () => {
  test('has a row for each rule, and a rule for each row', () => {
    expect(ruleProblems(page, rows)).toEqual([])
  })

  test('a rule without a row and a row without a rule are found', () => {
    const rule = '| 99.1 | A rule that nothing proves. | 0 |\n'
    expect(ruleProblems(page + rule, rows)).toEqual(['no row of the conformance suite cites rule 99.1'])
    const [first, ...others] = rows
    const wrong = first === undefined ? others : [{ ...first, rule: '0.1' }, ...rows]
    expect(ruleProblems(page, wrong)).toEqual([
      `"${first?.subject}: ${first?.name}" cites rule 0.1, which does not exist`,
    ])
  })

  test('names each row once', () => {
    const labels = rows.map(({ rule, subject, name }) => `${rule} ${subject}: ${name}`)
    expect(labels.filter((label, i) => labels.indexOf(label) !== i)).toEqual([])
  })

  test.each(TABLES)('has the fields of $path', ({ path, fields, responseFields }) => {
    const section = page.split(/^## \d+ /m).find((text) => text.startsWith(`${path.slice(1)}\n`)) ?? ''
    expect(fieldsOf(section, 'Request')).toEqual(
      Object.entries(fields).map(([name, { type, required = false }]) => [name, type, required ? 'yes' : '']),
    )
    expect(fieldsOf(section, 'Response').map(([name, type]) => [name, type])).toEqual(
      Object.entries(responseFields).map(([name, type]) => [name, type === 'datetime' ? 'time' : type]),
    )
  })
})

/** Name, type and the third column of the table below a title. */
function fieldsOf(section: string, title: string): string[][] {
  const [, table = ''] = section.split(`\n${title}:\n\n`)
  const [lines = ''] = table.split('\n\n')
  return lines
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
    .map(([, name = '', type = '', third = '']) => [name, type, third])
}
