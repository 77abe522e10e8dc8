import { expect, test } from 'vitest'
import { type BackupManifest, parseManifest, serializeManifest } from './manifest.ts'

const manifest: BackupManifest = {
  format: 1,
  id: '20261118-000000-0000',
  base_id: null,
  started_at: '2026-11-18T00:00:00Z',
  created_at: '2026-11-18T00:00:01Z',
  heddle_version: '0.1.0',
  clickhouse_version: '26.7',
  database: 'heddle',
  schema: [{ version: 1, checksum: 'c' }],
  tables: [{ name: 'calls', rows: 7, parts: 1, bytes: 10 }],
  files: [{ path: '.backup', size: 1, sha256: 'ab' }],
  row_counts: { b: 7, 10: 1 },
}

test('a manifest has a checksum of its own', () => {
  const text = serializeManifest(manifest)
  expect(parseManifest(text)).toEqual(manifest)
  expect(() => parseManifest(text.replace('"rows":7', '"rows":8'))).toThrow(/checksum/)
  expect(() => parseManifest(text.slice(0, -20))).toThrow(/JSON/)
})

test('a manifest without a checksum is refused', () => {
  expect(() => parseManifest(JSON.stringify(manifest))).toThrow(/checksum/)
})
