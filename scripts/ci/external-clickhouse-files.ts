/**
 * Database tests that `.ci/run` repeats against an external ClickHouse: connection, users, migrations, SQL sandbox,
 * limits, and the main families of statements. All others run there nightly (scripts/test-long.ts).
 */
export const EXTERNAL_CLICKHOUSE_FILES = [
  'database',
  'durability',
  'migrations',
  'sql',
  'sql-users',
  'read-limits',
  'calls-write',
  'query-calls',
  'metrics',
].map((name) => `test/db/${name}.test.ts`)
