/** Types of the suites of `npm run test:ops` (main.ts). */

/** What a suite gets to run its checks with. */
export interface OpsContext {
  /** A new empty directory, which is removed after the suite. */
  readonly directory: string
  /** Whether the long variant was asked for (`--long`): full sizes and durations. */
  readonly isLong: boolean
  /** One check: counted and printed with its duration. It fails if it throws; the suite then goes on. */
  check(name: string, run: () => Promise<void> | void): Promise<void>
}

export interface OpsSuite {
  readonly name: string
  /** About how long it takes on two idle cores, in minutes, without `--long`. */
  readonly minutes: number
  /** Left out with `--quick`, as in `.ci/run`: it takes minutes of processor time for files that rarely change. */
  readonly isNightly?: true
  run(context: OpsContext): Promise<void>
}
