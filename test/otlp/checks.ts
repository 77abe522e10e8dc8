import type { ReadCall } from './read-calls.ts'

type Check = (calls: readonly ReadCall[]) => void

/** What each program's calls must look like, by the name of its instrumentation. */
export const checks: Readonly<Record<string, Readonly<Record<string, Check>>>> = {}
