import { expect, test } from 'vitest'
import { type Catalog, findLatestRestorable, oldestFirst, planPrune, readChain } from './catalog.ts'
import type { BackupManifest } from './manifest.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 20)

/** Named by their age in days: `5 <- 4 <- 3`, then a new chain `2 <- 1`. */
function manifest(days: number, base: number | null): BackupManifest {
  const time = new Date(NOW - days * DAY_MS).toISOString()
  return {
    format: 1,
    id: backupId(days),
    base_id: base === null ? null : backupId(base),
    started_at: time,
    created_at: time,
    heddle_version: '0.1.0',
    clickhouse_version: '26.7',
    database: 'heddle',
    schema: [],
    tables: [],
    files: [],
    row_counts: {},
  }
}

const backupId = (days: number): string => `202611${20 - days}-000000-0000`

const catalog: Catalog = {
  complete: [manifest(5, null), manifest(4, 5), manifest(3, 4), manifest(2, null), manifest(1, 2)],
  incomplete: [],
}
const prune = (rules: { keep?: number; keepDays?: number }, of = catalog): number[] =>
  planPrune(of, {
    keep: rules.keep,
    keepDays: rules.keepDays,
    incompleteHours: 24,
    nowMs: NOW,
  }).map((id) => 20 - Number(id.slice(6, 8)))

test('a chain is the backup and all that it builds on', () => {
  expect(readChain(catalog, backupId(3)).map(({ id }) => id)).toEqual([backupId(3), backupId(4), backupId(5)])
  expect(() => readChain(catalog, 'nothing')).toThrow(/the latest is 20261119/)
})

test('a backup without its base cannot be restored, and the next one does not build on it', () => {
  const broken = { complete: [manifest(2, null), manifest(1, 9)], incomplete: [] }
  expect(() => readChain(broken, backupId(1))).toThrow(/builds on .* which is missing/)
  expect(findLatestRestorable(broken)?.id).toBe(backupId(2))
})

test('of two backups of one second the later one is the latest, and is deleted first', () => {
  const at = (suffix: string, ms: number, base_id: string | null): BackupManifest => ({
    ...manifest(1, null),
    id: `20261119-000000-${suffix}`,
    base_id,
    started_at: new Date(NOW - DAY_MS + ms).toISOString(),
  })
  const first = at('ffff', 100, null)
  const second = at('0000', 900, first.id)
  const complete = oldestFirst([second, first])
  expect(findLatestRestorable({ complete, incomplete: [] })?.id).toBe(second.id)
  const ids = planPrune(
    { complete: [...complete, manifest(0, null)], incomplete: [] },
    { keep: 1, keepDays: undefined, incompleteHours: 24, nowMs: NOW },
  )
  expect(ids).toEqual([second.id, first.id])
})

test('prune keeps the newest ones with what they build on, and deletes newest first', () => {
  expect(prune({ keep: 1 })).toEqual([3, 4, 5])
  expect(prune({ keep: 2 })).toEqual([3, 4, 5])
  expect(prune({ keep: 3 })).toEqual([])
  expect(prune({ keep: 0 })).toEqual([3, 4, 5])
})

test('prune keeps recent ones with what they build on', () => {
  expect(prune({ keepDays: 3 })).toEqual([3, 4, 5])
  expect(prune({ keepDays: 4 })).toEqual([])
  expect(prune({ keepDays: 0 })).toEqual([3, 4, 5])
})

test('an incomplete backup is deleted when it is old; a young one may be running, and keeps its base', () => {
  const started = (hours: number) => ({
    id: backupId(0),
    mark: {
      id: backupId(0),
      base_id: backupId(3),
      started_at: new Date(NOW - hours * 3_600_000).toISOString(),
    },
  })
  expect(prune({ keep: 1 }, { ...catalog, incomplete: [started(1)] })).toEqual([])
  expect(prune({ keep: 1 }, { ...catalog, incomplete: [started(25)] })).toEqual([0, 3, 4, 5])
  expect(prune({ keep: 1 }, { ...catalog, incomplete: [{ id: backupId(0), mark: undefined }] })).toEqual([
    0, 3, 4, 5,
  ])
})
