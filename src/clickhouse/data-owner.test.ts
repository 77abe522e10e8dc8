import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refuseOtherOwner } from './data-owner.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'heddle-owner-'))
})

afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

/** Of `nobody` on most systems. */
const OTHER = 65_534
const isRoot = process.geteuid?.() === 0

test('a directory of the same user, and one that does not exist, are accepted', async () => {
  await refuseOtherOwner(directory)
  await refuseOtherOwner(join(directory, 'absent', 'too'))
  expect(readdirSync(directory)).toEqual([])
})

test.skipIf(!isRoot)(
  'an empty directory of another user is refused, with both users and a remedy',
  async () => {
    chownSync(directory, OTHER, OTHER)
    await expect(refuseOtherOwner(directory)).rejects.toThrow(
      /^permission denied: the data directory \S+ belongs to the user .*65534\)?, but this command runs as the user root \(id 0\); put `sudo -u \S+` before it, or change the owner with `chown -R root \S+`/,
    )
  },
)

test.skipIf(!isRoot)('what counts is the owner of the data, not that of a mounted volume', async () => {
  mkdirSync(join(directory, 'clickhouse'))
  chownSync(directory, OTHER, OTHER)
  await refuseOtherOwner(directory)
  chownSync(directory, 0, 0)
  chownSync(join(directory, 'clickhouse'), OTHER, OTHER)
  await expect(refuseOtherOwner(directory)).rejects.toThrow(/belongs to .*65534/)
})
