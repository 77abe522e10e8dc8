import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { OpsContext } from './suite.ts'
import { suites } from './suites.ts'

/**
 * `npm run test:ops`: what people who operate Heddle rely on, tested with real processes: images, charts, backups,
 * retention, diagnostics, upgrades. `--only REGEX` selects suites by name, `--quick` those of every change, `--long` runs them at full size. Needs
 * `npm run build`.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
  },
})
const selected = suites.filter(
  ({ name, isNightly }) => new RegExp(values.only).test(name) && !(values.quick && isNightly),
)
const count = { passed: 0, failed: 0 }

const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`

/** Counts and prints one check; one that throws has failed. */
async function check(name: string, run: () => Promise<void> | void): Promise<void> {
  const startedMs = performance.now()
  try {
    await run()
    count.passed++
    console.log(`ok    ${name} (${seconds(startedMs)})`)
  } catch (error) {
    count.failed++
    console.log(`FAIL  ${name} (${seconds(startedMs)})`)
    console.log(`      ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
}

for (const suite of selected) {
  const startedMs = performance.now()
  const directory = await mkdtemp(join(tmpdir(), 'heddle-ops-'))
  const context: OpsContext = {
    directory,
    isLong: values.long,
    check: (name, run) => check(`${suite.name}: ${name}`, run),
  }
  try {
    await suite.run(context)
  } catch (error) {
    await check(`${suite.name}: runs to its end`, () => {
      throw error
    })
  }
  await rm(directory, { recursive: true, force: true })
  console.log(`${suite.name} took ${seconds(startedMs)}, expected ${suite.minutes} min`)
}
console.log(`ops: ${count.passed} passed, ${count.failed} failed`)
process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1
