import { expect, test } from 'vitest'
import { readMigrations } from '../database/migrations.ts'
import { replicatedTable } from './replicated-tables.ts'

const REPLICATION = { path: '/clickhouse/tables/{shard}/{database}/{table}', replica: '{replica}' }

test.each([
  ['ENGINE = MergeTree\nORDER BY id', "ENGINE = ReplicatedMergeTree('PATH', '{replica}')\nORDER BY id"],
  [
    'ENGINE = ReplacingMergeTree(version, is_deleted) ORDER BY id',
    "ENGINE = ReplicatedReplacingMergeTree('PATH', '{replica}', version, is_deleted) ORDER BY id",
  ],
  ['ALTER TABLE calls ADD COLUMN x UInt8', 'ALTER TABLE calls ADD COLUMN x UInt8'],
])('%s', (statement, expected) => {
  expect(replicatedTable(statement, REPLICATION)).toBe(expected.replace('PATH', REPLICATION.path))
})

test('every table of the migrations is replicated', async () => {
  const statements = (await readMigrations()).flatMap((migration) => migration.statements)
  const tables = statements.filter((statement) => /^CREATE TABLE\b/.test(statement))
  expect(tables.length).toBeGreaterThan(20)
  for (const table of tables)
    expect(replicatedTable(table, REPLICATION)).toMatch(/ENGINE = Replicated\w*MergeTree\('\/clickhouse/)
})
