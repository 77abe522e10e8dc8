import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

// The journeys of test/browser, in the system's Chromium. `npm run test:browser` passes its options in these variables.
const { HEDDLE_JOURNEYS, HEDDLE_JOURNEY_FAILURES, HEDDLE_CHROMIUM } = process.env
const isLong = process.env['HEDDLE_JOURNEYS_LONG'] === '1'

export default defineConfig({
  globalSetup: './test/browser/server.ts',
  testMatch: '*.ts',
  grep: new RegExp(HEDDLE_JOURNEYS ?? ''),
  grepInvert: isLong ? [] : /@long/,
  outputDir: join(HEDDLE_JOURNEY_FAILURES ?? '.tmp/browser', 'journeys'),
  // The last one prints the last line.
  reporter: [
    ['html', { open: 'never', outputFolder: '.tmp/browser/report' }],
    ['./test/browser/reporter.ts'],
  ],
  // More than processors, because journeys wait most of the time. Each has a browser: contexts share a clipboard.
  workers: 3,
  // A hung page fails its journey, not the whole run. The first journey that needs the million calls also creates them.
  timeout: 300_000,
  // For its trace, and printed. Traces of all first runs take processor time, and change what pages do: Playwright requests
  // their images again, which violates the Content Security Policy.
  retries: 1,
  use: {
    launchOptions: {
      executablePath: HEDDLE_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--force-color-profile=srgb',
      ],
    },
    viewport: { width: 1440, height: 900 },
    // Animations take processor time and nothing depends on them.
    contextOptions: { reducedMotion: 'reduce' },
    permissions: ['clipboard-read', 'clipboard-write'],
    // For one step of a journey. Long, because other work on the machine can slow any step.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    screenshot: 'only-on-failure',
    trace: { mode: 'on-first-retry', screenshots: false },
  },
  projects: [
    // Its teardown, not its dependent: that would not run if a journey failed.
    { name: 'journeys', testDir: 'test/browser/journeys', teardown: 'alone' },
    // These measure time or start another server: nothing runs beside them.
    { name: 'alone', testDir: 'test/browser/alone', workers: 1, retries: 0, use: { trace: 'off' } },
  ],
})
