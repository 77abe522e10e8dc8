import { defineConfig } from 'vitest/config'

// Two projects: `unit` needs no services and stays under 15 s; `db` runs on a real ClickHouse, which
// scripts/test-db.ts starts and hands over in HEDDLE_TEST_CLICKHOUSE_URL.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/unit/**/*.test.ts'],
          // Pure rules need no walls between them: 11 s with one module graph, 28 s with one for each file.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          name: 'db',
          include: ['test/db/**/*.test.ts'],
          // Generous: a machine that is busy with something else is no reason to fail.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // One engine on two cores: more files at once only make each other slow.
          maxWorkers: 2,
        },
      },
    ],
  },
})
