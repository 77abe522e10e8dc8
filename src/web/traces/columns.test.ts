import { expect, test } from 'vitest'
import { printColumns, readColumns } from './columns.ts'

const names = (text: string | undefined, hasTags: boolean): string[] =>
  readColumns(text, hasTags).map(({ name }) => name)

test('the tags column is a default column if the project has tags', () => {
  expect(names(undefined, false)).not.toContain('tags')
  expect(names(undefined, true)).toContain('tags')
})

test('chosen columns stay the same with and without tags', () => {
  for (const hasTags of [true, false]) {
    expect(printColumns(readColumns(undefined, hasTags), hasTags)).toBeUndefined()
    expect(names('name,tags,inputs.a', hasTags)).toEqual(['name', 'tags', 'inputs.a'])
    const other = printColumns(readColumns(undefined, !hasTags), hasTags)
    expect(names(other, hasTags)).toEqual(names(undefined, !hasTags))
  }
})
