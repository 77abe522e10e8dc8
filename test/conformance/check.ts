import type { Api } from './api.ts'

/** A registry of checks. One check ("row" in the summary line) is one field or one rule of SPEC.md, asserted on a response. */
interface Check {
  readonly section: string
  readonly name: string
  readonly run: (api: Api) => Promise<void>
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Thrown by a check that cannot run on this server, with the reason. The check then counts as neither passed nor failed. */
export class Skip extends Error {}

const checks: Check[] = []

export function check(section: string, name: string, run: (api: Api) => Promise<void>): void {
  checks.push({ section, name, run })
}

/** A check of a behaviour that SPEC leaves open and Heddle documents. */
export function checkDecision(section: string, name: string, run: (api: Api) => Promise<void>): void {
  check(section, name, async (api) => {
    if (!api.isHeddle) throw new Skip('SPEC leaves this open')
    await run(api)
  })
}

/** A fixture for several checks: the first one creates it, the others reuse it, or its failure. */
export function once<T>(create: (api: Api) => Promise<T>): (api: Api) => Promise<T> {
  let created: Promise<T> | undefined
  return (api) => (created ??= create(api))
}

/** Runs the checks sequentially, because some count records before and after a write. */
export async function runChecks(api: Api, only: string, print: (line: string) => void): Promise<Tally> {
  const tally = { passed: 0, failed: 0, skipped: 0 }
  for (const { section, name, run } of checks) {
    const label = `${section}: ${name}`
    if (!label.includes(only)) continue
    try {
      await run(api)
      tally.passed += 1
      print(`ok ${label}`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const skipped = error instanceof Skip
      tally[skipped ? 'skipped' : 'failed'] += 1
      print(`${skipped ? 'skip' : 'FAIL'} ${label} — ${reason}`)
    }
  }
  return tally
}
