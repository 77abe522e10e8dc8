import type { Api } from './api.ts'

/** A registry of rows. One row is one field or one rule of SPEC.md, asserted on a real answer. */
interface Row {
  readonly section: string
  readonly name: string
  readonly check: (api: Api) => Promise<void>
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Thrown by a row that cannot be judged here, with the reason; it is then neither passed nor failed. */
export class Skip extends Error {}

const rows: Row[] = []

export function row(section: string, name: string, check: (api: Api) => Promise<void>): void {
  rows.push({ section, name, check })
}

/** A fixture that several rows read: made by the first, remembered (also its failure) for the others. */
export function once<T>(make: (api: Api) => Promise<T>): (api: Api) => Promise<T> {
  let made: Promise<T> | undefined
  return (api) => (made ??= make(api))
}

/** One after another, because some rows count what is there before and after them. */
export async function runRows(api: Api, only: string, print: (line: string) => void): Promise<Tally> {
  const tally = { passed: 0, failed: 0, skipped: 0 }
  for (const { section, name, check } of rows) {
    const label = `${section}: ${name}`
    if (!label.includes(only)) continue
    try {
      await check(api)
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
