import { expect, test } from 'vitest'
import { OPTIONAL_DEFAULTS, type OptionalDefault, printColumns, readColumns } from './columns.ts'

const names = (text: string | undefined, used: readonly OptionalDefault[]): string[] =>
  readColumns(text, used).map(({ name }) => name)

test('end user and tags are default columns if the project has them; the owner of the key is none', () => {
  expect(names(undefined, [])).not.toContain('tags')
  expect(names(undefined, ['tags'])).toContain('tags')
  expect(names(undefined, [])).not.toContain('end_user')
  expect(names(undefined, ['end_user'])).toContain('end_user')
  expect(names(undefined, OPTIONAL_DEFAULTS)).not.toContain('user')
})

test('chosen columns stay the same, whatever the project has', () => {
  for (const used of [OPTIONAL_DEFAULTS, []]) {
    const others = used.length === 0 ? OPTIONAL_DEFAULTS : []
    expect(printColumns(readColumns(undefined, used), used)).toBeUndefined()
    expect(names('name,tags,inputs.a', used)).toEqual(['name', 'tags', 'inputs.a'])
    const other = printColumns(readColumns(undefined, others), used)
    expect(names(other, used)).toEqual(names(undefined, others))
  }
})
