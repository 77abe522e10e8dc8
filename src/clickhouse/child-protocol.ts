/** What the parent (embedded-clickhouse.ts) and its child process (child.ts) agree on. */

/** The child prints this once it holds the lock of the data directory. */
export const LOCKED_MESSAGE = 'heddle: locked\n'

/** The exit code of a child that finds the data directory locked by another process. */
export const LOCK_HELD_EXIT_CODE = 73

/** Sent to the child as one line of JSON when its files are in place; the child then starts ClickHouse. */
export interface StartMessage {
  readonly data: string
  readonly configFile: string
  readonly listenFile: string
  readonly workingDirectory: string
}
