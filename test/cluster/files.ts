/** Database tests that `npm run test:cluster` repeats on two shards. All of them run there with `--long`. */
const QUICK_NAMES = ['every-operation', 'call-fold']

const OTHER_NAMES = [
  'query-property',
  'time-page',
  'calls-read',
  'calls-write',
  'export',
  'sql',
  'every-body',
  'every-text',
  'protocol-rules',
  'metrics-property',
  'otlp-property',
  'tenant-isolation',
  'late-deletions',
  'retention-property',
  'live',
]

const path = (name: string): string => `test/db/${name}.test.ts`

/** In `.ci/run`. */
export const QUICK_FILES = QUICK_NAMES.map(path)
export const CLUSTER_FILES = [...QUICK_NAMES, ...OTHER_NAMES].map(path)
