import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryDirectory } from './temporary-directory.ts'

let dataDirectory: string

beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'heddle-data-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(dataDirectory, { recursive: true, force: true })
})

test('temporary files are in the directory of the system', async () => {
  expect(await temporaryDirectory({ dataDirectory })).toBe(tmpdir())
})

test('without a writable one they are in the data directory', async () => {
  mkdirSync(join(dataDirectory, 'tmp'))
  vi.stubEnv('TMPDIR', join(dataDirectory, 'absent'))
  expect(await temporaryDirectory({ dataDirectory })).toBe(join(dataDirectory, 'tmp'))
})

test('without either the error says what to do', async () => {
  vi.stubEnv('TMPDIR', join(dataDirectory, 'absent'))
  await expect(temporaryDirectory({ dataDirectory })).rejects.toThrow(/absent is not writable: mount a tmpfs/)
})
