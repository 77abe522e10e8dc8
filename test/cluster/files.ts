/** Database tests that `npm run test:cluster` repeats on two shards. All of them run there with `--long`. */
export const CLUSTER_FILES = [
  'every-operation',
  'every-body',
  'every-text',
  'protocol-rules',
  'call-fold',
  'query-property',
  'metrics-property',
  'otlp-property',
  'time-page',
  'calls-read',
  'calls-write',
  'tenant-isolation',
  'live',
  'export',
  'sql',
].map((name) => `test/db/${name}.test.ts`)
