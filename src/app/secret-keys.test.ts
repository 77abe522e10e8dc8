import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createSecretKeys, KeyFile } from './secret-keys.ts'
import { readSettings } from './settings.ts'

const directory = mkdtempSync(join(tmpdir(), 'heddle-keys-'))
const path = join(directory, 'secret-keys')
afterEach(() => rmSync(path, { force: true }))

test('the file is created with the first secret, readable by its owner only', () => {
  const keys = createSecretKeys(readSettings({ HEDDLE_DATA: directory }))
  expect(keys.find('00000000')).toBeUndefined()
  expect(() => statSync(path)).toThrow(/ENOENT/)
  const { key_id } = keys.current()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(new KeyFile(path).current().key_id).toBe(key_id)
  chmodSync(path, 0o644)
  expect(() => new KeyFile(path).current()).toThrow(/can be read by others/)
})

test('a running server finds a key that another process adds', () => {
  const server = new KeyFile(path)
  const old = server.current()
  const added = new KeyFile(path).addKey()
  expect(added.key_id).not.toBe(old.key_id)
  expect(server.find(added.key_id)).toEqual(added)
  expect(server.find(old.key_id)).toEqual(old)
  new KeyFile(path).addKey()
  new KeyFile(path).removeOldest()
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(2)
  expect(new KeyFile(path).find(added.key_id)).toEqual(added)
  expect(new KeyFile(path).find(old.key_id)).toBeUndefined()
})

test('keys of the setting: the first encrypts, all decrypt, short ones are refused', () => {
  const [a, b] = ['a', 'b'].map((letter) => letter.repeat(32))
  const keys = createSecretKeys(readSettings({ HEDDLE_SECRET_KEY: `${a}, ${b}` }))
  const first = createSecretKeys(readSettings({ HEDDLE_SECRET_KEY: a })).current()
  const second = createSecretKeys(readSettings({ HEDDLE_SECRET_KEY: b })).current()
  expect(keys.current()).toEqual(first)
  expect(keys.find(second.key_id)).toEqual(second)
  expect(() => createSecretKeys(readSettings({ HEDDLE_SECRET_KEY: 'short' }))).toThrow(/at least 32/)
  const external = createSecretKeys(readSettings({ HEDDLE_CLICKHOUSE_URL: 'http://127.0.0.1:1' }))
  expect(() => external.current()).toThrow(/HEDDLE_SECRET_KEY/)
})
