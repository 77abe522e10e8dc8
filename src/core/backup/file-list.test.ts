import { expect, test } from 'vitest'
import { parseFileList } from './file-list.ts'

test('row counts are in this backup, in another file of it, or in the base', () => {
  const file = (name: string, more = ''): string =>
    `<file><name>${name}</name><size>10</size><checksum>c-${name}</checksum>${more}</file>`
  const { countFiles, bytes } = parseFileList(
    `<config><contents>${[
      file('data/heddle/calls/202601_1_1_0/count.txt'),
      file('data/heddle/calls/202601_1_1_0/data.bin'),
      file('data/heddle/calls/202601_1_1_0/by_time.proj/count.txt'),
      file('data/heddle/files/all_1_1_0/count.txt', '<use_base>true</use_base>'),
      file('data/heddle/users/all_1_1_0/count.txt', '<data_file>data/heddle/calls/x/count.txt</data_file>'),
      file('metadata/heddle/calls.sql'),
    ].join('')}</contents></config>`,
  )
  expect(countFiles.map(({ table, path }) => [table, path])).toEqual([
    ['calls', 'data/heddle/calls/202601_1_1_0/count.txt'],
    ['files', undefined],
    ['users', 'data/heddle/calls/x/count.txt'],
  ])
  expect([...bytes]).toEqual([
    ['calls', 30],
    ['files', 10],
    ['users', 10],
  ])
})
