import type { Api } from './api.ts'

/** A registry of checks. One check ("row" in the summary line) asserts one rule of docs/specification.md on a response. */
export interface Check {
  /** Number of the rule. */
  readonly rule: string
  /** The operation or the record that is checked. */
  readonly subject: string
  readonly name: string
  /** Whether servers of the Weave protocol may differ, so that the check is skipped on another server. */
  readonly isDecision: boolean
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

export function registeredChecks(): readonly Check[] {
  return checks
}

type Run = (api: Api) => Promise<void>

export function check(rule: string, subject: string, name: string, run: Run): void {
  checks.push({ rule, subject, name, isDecision: false, run })
}

/** A check of a behaviour that the Weave protocol leaves open and Heddle documents. */
export function checkDecision(rule: string, subject: string, name: string, run: Run): void {
  const runOnHeddle: Run = async (api) => {
    if (!api.isHeddle) throw new Skip('servers of this protocol may differ')
    await run(api)
  }
  checks.push({ rule, subject, name, isDecision: true, run: runOnHeddle })
}

/** A fixture for several checks: the first one creates it, the others reuse it, or its failure. */
export function once<T>(create: (api: Api) => Promise<T>): (api: Api) => Promise<T> {
  let created: Promise<T> | undefined
  return (api) => (created ??= create(api))
}

/** Runs the checks sequentially, because some count records before and after a write. */
export async function runChecks(api: Api, only: string, print: (line: string) => void): Promise<Tally> {
  const tally = { passed: 0, failed: 0, skipped: 0 }
  for (const { rule, subject, name, run } of checks) {
    const label = `${rule} ${subject}: ${name}`
    if (!isSelected(only, rule, label)) continue
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

/** `only` is the number of a section or a rule, or a text of the label. */
function isSelected(only: string, rule: string, label: string): boolean {
  if (!/^\d+(?:\.\d+)?$/.test(only)) return label.includes(only)
  return rule === only || rule.startsWith(`${only}.`)
}
