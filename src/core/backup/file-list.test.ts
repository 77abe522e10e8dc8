import { expect, test } from 'vitest'
import { parseFileList, parseLinks, replaceBase } from './file-list.ts'

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

test('the base of a list of files is read and replaced, also one whose path has special characters', () => {
  const full = '<config><uuid>u1</uuid><contents></contents></config>'
  expect(parseLinks(full)).toEqual({ uuid: 'u1', base: undefined, baseUuid: undefined })
  expect(replaceBase(full, "File('/new/1')")).toBe(full)
  const second =
    "<config><uuid>u2</uuid><base_backup>File('/a&amp;b/1')</base_backup><base_backup_uuid>u1</base_backup_uuid></config>"
  expect(parseLinks(second)).toEqual({ uuid: 'u2', base: "File('/a&b/1')", baseUuid: 'u1' })
  const replaced = replaceBase(second, "File('/<$&>/1')")
  expect(replaced).toContain("<base_backup>File('/&lt;$&amp;&gt;/1')</base_backup><base_backup_uuid>u1<")
  expect(parseLinks(replaced).base).toBe("File('/<$&>/1')")
})
