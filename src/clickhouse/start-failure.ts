import type { S3Disks } from './s3-disks.ts'
import { describeUser, findEntryOfOthers } from './data-owner.ts'

/** Why embedded ClickHouse did not start, in one sentence with a remedy. */
export class StartFailure extends Error {
  /** What ClickHouse wrote: often megabytes of schema and addresses. */
  readonly output: string

  constructor(message: string, output: string) {
    super(message)
    this.output = output
  }
}

interface FailedStart {
  readonly directory: string
  readonly s3Disks: S3Disks
  /** `code 1`, `SIGKILL` or `LOCK_HELD`; undefined if ClickHouse still runs, but does not respond. */
  readonly exit: string | undefined
  readonly waitedMs: number
  readonly output: string
}

const MAX_REASON_CHARACTERS = 300

/** ClickHouse names the cause somewhere in its output, or nowhere: it is silent about a directory that it cannot read. */
export async function explainStart(failed: FailedStart): Promise<StartFailure> {
  const { output, directory } = failed
  const message = explainKnown(failed) ?? (await explainPermission(output, directory)) ?? explainOther(failed)
  return new StartFailure(message, output)
}

/** An error of the file system while the files of ClickHouse are written. */
export async function explainFileError(error: unknown, directory: string): Promise<unknown> {
  if (!(error instanceof Error)) return error
  const message = await explainPermission(error.message, directory)
  return message === undefined ? error : new Error(message, { cause: error })
}

function explainKnown({ output, s3Disks, exit }: FailedStart): string | undefined {
  if (exit === LOCK_HELD || /Cannot lock file/i.test(output)) return LOCK_HELD
  if (/ffi-rs|chdb/.test(output) && /not found|Cannot find/i.test(output))
    return 'embedded ClickHouse is not installed: install the optional dependencies @chdb/lib-… and ffi-rs, or set HEDDLE_CLICKHOUSE_URL'
  if (output.includes('TOO_MANY_UNEXPECTED_DATA_PARTS')) return TOO_MANY_BROKEN_PARTS
  if (output.includes('UNKNOWN_POLICY')) return NO_COLD_STORAGE
  if (/S3 URI/.test(output))
    return `ClickHouse rejects the bucket of an S3 target: ${reasonIn(output)}; correct HEDDLE_BACKUP_TARGET or HEDDLE_COLD_STORAGE_TARGET`
  if (/S3_ERROR|S3 disk/.test(output))
    return `calls are in cold storage, and S3${s3Disks.cold === undefined ? '' : ` at ${s3Disks.cold.url}`} cannot be used: ${s3ReasonIn(output)}; check HEDDLE_COLD_STORAGE_S3_ENDPOINT, its access key and the network, then start again`
  if (/No space left on device|NOT_ENOUGH_SPACE/.test(output))
    return 'the disk of the data directory is full; free some space or enlarge it, then start again'
  if (/errno: 30\b|Read-only file system/i.test(output))
    return 'the data directory is on a read-only file system; mount it writable, or choose another with --data'
  if (exit === 'SIGKILL')
    return 'embedded ClickHouse was killed while it started, most often because memory was exhausted; give the machine or container more, or look at the log of the kernel'
  return undefined
}

/** Undefined if permissions are not the cause. */
async function explainPermission(output: string, directory: string): Promise<string | undefined> {
  const [, opened] =
    /(?:[Cc]annot open file |(?:open|mkdir|unlink|rename|scandir) ')([^':]+)/.exec(output) ?? []
  const isDenied = /errno: 13\b|EACCES|EPERM|Permission denied/.test(output)
  if (!isDenied && /Exception|Error/.test(output)) return undefined
  const found = await findEntryOfOthers(directory)
  if (found === undefined && !isDenied) return undefined
  const user = await describeUser(process.geteuid?.() ?? 0)
  if (found === undefined)
    return `permission denied: ${user.text} cannot use ${opened ?? directory}; make it readable and writable for that user`
  const owner = await describeUser(found.uid)
  return `permission denied: ${found.path} belongs to ${owner.text}, but this command runs as ${user.text}; run \`sudo chown -R ${user.name} ${directory}\``
}

function explainOther({ exit, waitedMs, output, s3Disks }: FailedStart): string {
  const reason = reasonIn(output)
  const because = reason === '' ? '' : `: ${reason}`
  if (exit !== undefined) return `embedded ClickHouse exited (${exit})${because}`
  const cold =
    s3Disks.cold === undefined ? '' : `; check that the cold storage at ${s3Disks.cold.url} responds`
  return `embedded ClickHouse did not respond within ${Math.round(waitedMs / 1000)} s${because}${cold}`
}

/** The message of the innermost exception, or the last line that is not part of a stack. */
function reasonIn(output: string): string {
  const exceptions = [...output.matchAll(/^(?:Code: \d+\. )(DB::\w*Exception: .*)$/gm)].map(
    ([, text = '']) => text,
  )
  const innermost = exceptions[0]?.split(/DB::\w*Exception: /).at(-1)
  const lines = output
    .split('\n')
    .filter((line) => /\S/.test(line) && !/^\s*(?:\d+\. |at |\{|\}|\^|Node\.js )/.test(line))
  const text = (innermost ?? lines.findLast((line) => /Error|error/.test(line)) ?? lines.at(-1) ?? '')
    .replace(/, Stack trace \(when copying.*$/, '')
    .replace(/^\S+ \S+ \[ \d+ \] \{[^}]*\} <\w+> /, '')
    .trim()
    .replace(/\.?(?: \([A-Z_0-9]+\))?$/, '')
  return text.length > MAX_REASON_CHARACTERS ? `${text.slice(0, MAX_REASON_CHARACTERS)}…` : text
}

/** Before the table whose load failed comes what S3 or the network said. */
function s3ReasonIn(output: string): string {
  const [, network] = /e\.code\(\) = \d+, ([^(]+?) \(version/.exec(output) ?? []
  return network ?? reasonIn(output).split(/ This error happened| \(version/)[0] ?? ''
}

export const LOCK_HELD = 'another Heddle server uses this data directory; stop it first'

const TOO_MANY_BROKEN_PARTS =
  'ClickHouse refuses to start, because more than 100 parts or 1 GiB of a table are broken; the log names them. See docs/operations/lost-data.md: restore a backup'

const NO_COLD_STORAGE =
  'calls are in cold storage, but HEDDLE_COLD_STORAGE_TARGET is not set: set it and the other variables HEDDLE_COLD_STORAGE_* as before'
