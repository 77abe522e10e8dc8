import { defineConfig } from 'vitest/config'

// Two projects: `unit` needs no services and stays under 15 s; `db` runs on a real ClickHouse, which
// scripts/test-db.ts starts and passes in HEDDLE_TEST_CLICKHOUSE_URL.
export default defineConfig({
  test: {
    // `npm run coverage`: unit tests only. What needs ClickHouse or a browser is covered by the other suites.
    coverage: {
      provider: 'v8',
      include: ['src/{contract,core,demo,client}/**/*.ts', 'src/web/**/*.ts'],
      reporter: ['text-summary', 'html', 'lcov'],
    },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/unit/**/*.test.ts'],
          // Pure functions need no isolation: 11 s with one module graph, 28 s with one per file.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          name: 'db',
          include: ['test/db/**/*.test.ts'],
          // Generous, because other work on the machine can slow any test.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // One ClickHouse on two cores: more concurrent files only slow each other down.
          maxWorkers: 2,
        },
      },
    ],
  },
})
