import type { ReadCall } from './read-calls.ts'

/** Checks by what they state. */
export type Checks = Readonly<Record<string, (calls: readonly ReadCall[]) => void>>

/** What each program's calls must look like, by the name of its instrumentation. */
export const checks: Readonly<Record<string, Checks>> = {}
