import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { chromium } from '../../scripts/ci/chromium.ts'

/**
 * Browser tests: `npm run build && npm run test:browser` runs user journeys in a real browser against a built server, by
 * playwright.config.ts. `-- --only 'text|text'` filters journeys by their name or file, `--long` adds those with a million
 * calls, `--images docs/images` takes the screenshots of the docs, `--failures DIR` keeps screenshots and traces of
 * failures there, and `--shard 1/2` runs a part. The last line of output is `browser: N passed, N failed`.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    long: { type: 'boolean', default: false },
    images: { type: 'string' },
    failures: { type: 'string' },
    shard: { type: 'string', default: '1/1' },
  },
})
// Playwright would run the project `alone` in every shard.
const others = values.shard.startsWith('1/') ? [] : ['--project=journeys', '--no-deps']
const command = ['node_modules/@playwright/test/cli.js', 'test', `--shard=${values.shard}`, ...others]
const { status } = spawnSync(process.execPath, command, {
  stdio: 'inherit',
  env: {
    ...process.env,
    HEDDLE_CHROMIUM: chromium(),
    HEDDLE_JOURNEYS: values.only,
    HEDDLE_JOURNEYS_LONG: values.long ? '1' : '0',
    HEDDLE_JOURNEY_IMAGES: values.images,
    HEDDLE_JOURNEY_FAILURES: values.failures,
  },
})
process.exitCode = status ?? 1
