import { expect, test } from 'vitest'
import { printColumns, readColumns } from './columns.ts'

const names = (text: string | undefined, hasTags: boolean): string[] =>
  readColumns(text, hasTags).map(({ name }) => name)

test('tags are shown unasked where there are any', () => {
  expect(names(undefined, false)).not.toContain('tags')
  expect(names(undefined, true)).toContain('tags')
})

test('columns that somebody chose stay as they are, with tags and without', () => {
  for (const hasTags of [true, false]) {
    expect(printColumns(readColumns(undefined, hasTags), hasTags)).toBeUndefined()
    expect(names('name,tags,inputs.a', hasTags)).toEqual(['name', 'tags', 'inputs.a'])
    const other = printColumns(readColumns(undefined, !hasTags), hasTags)
    expect(names(other, hasTags)).toEqual(names(undefined, !hasTags))
  }
})
