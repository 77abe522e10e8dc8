import { defineConfig } from 'vitest/config'

// Three projects: `unit`, and `components` of the web UI in a simulated browser, need no services and take a minute
// together; `db` runs on a real ClickHouse, which scripts/test-db.ts starts and passes in HEDDLE_TEST_CLICKHOUSE_URL.
export default defineConfig({
  test: {
    // `npm run coverage`, nightly: of unit and component tests. The services, the CLI and most statements are covered by the
    // database tests, and pages by journeys. A layer may not fall below its floor.
    coverage: {
      provider: 'v8',
      include: [
        'src/{contract,core,demo,client,otlp,store,http,service}/**/*.ts',
        'src/web/**/*.ts',
        'src/web/ui/**/*.tsx',
      ],
      reporter: ['text-summary', 'html', 'lcov'],
      thresholds: {
        'src/contract/**/*.ts': { lines: 88 },
        'src/core/**/*.ts': { lines: 79 },
        'src/demo/**/*.ts': { lines: 98 },
        'src/otlp/**/*.ts': { lines: 97 },
        'src/http/**/*.ts': { lines: 61 },
        'src/store/**/*.ts': { lines: 46 },
      },
    },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/unit/**/*.test.ts'],
          // Pure functions need no isolation: 11 s with one module graph, 28 s with one per file.
          pool: 'threads',
          isolate: false,
          // Other work on the machine can slow any test. Those that assert a limit state it themselves.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'components',
          include: ['src/web/**/*.test.tsx'],
          environment: 'happy-dom',
          // As above. They run after the others: a worker serves one environment only, and starts again for another.
          pool: 'threads',
          isolate: false,
          sequence: { groupOrder: 1 },
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'db',
          include: ['test/db/**/*.test.ts'],
          // Generous, because other work on the machine can slow any test.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // One ClickHouse on two cores: more concurrent files only slow each other down.
          maxWorkers: 2,
          // Each file has a server and a database of its own. One module graph per file takes 3 s of processor time each.
          pool: 'forks',
          isolate: false,
        },
      },
    ],
  },
})
