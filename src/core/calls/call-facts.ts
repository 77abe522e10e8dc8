import type { Micros } from '../time/time.ts'
import { hasSameContent, LOWEST_STAMP, type Stamp, versionStamp } from './fact-versions.ts'

/**
 * The facts of a call: its start, end, rename, deletion and contents, each stated by a record. A `complete` record states
 * start and end together. See docs/decisions/0002-one-row-per-call.md.
 *
 * Of the facts of one kind the last received wins, as a whole. A record that repeats the winning one changes nothing.
 * The name given at the start belongs to the start, and a rename wins over it. A deletion always wins. Contents are
 * collected.
 *
 * The call is a function of the set of its facts, whatever the order and number in which they arrive: every node that
 * has the same facts has the same call.
 */
export interface Fact {
  readonly version: bigint
  /** The fact as encoded by the store; opaque here. */
  readonly body: Buffer
}

export interface StartFact extends Fact {
  readonly started_at: Micros
  /** The display name given at the start, encoded by the store. */
  readonly name?: Buffer | undefined
  /** The user whose credentials sent the record. Not part of its content: a resend by another user changes nothing. */
  readonly sent_by: string
}

export interface EndFact extends Fact {
  readonly ended_at: Micros
}

export interface CallFacts {
  readonly project_id: string
  readonly id: string
  readonly start?: StartFact | undefined
  readonly end?: EndFact | undefined
  readonly rename?: Fact | undefined
  readonly deletion?: Fact | undefined
  /** All of them count, not only the last (call-contents.ts). */
  readonly contents?: readonly Fact[] | undefined
  /** The encoded row for exactly these facts; opaque here, and dropped when other facts are joined. */
  readonly row?: Buffer | undefined
  /** Start and end came in one record, so only `row` needs to be written. */
  readonly isComplete?: boolean | undefined
  /** Size of `row`; reading `row` itself would encode it. */
  readonly rowBytes?: number | undefined
  /** The time of `start`, where reading `start` itself would decode it. */
  readonly startedAt?: Micros | undefined
}

export type FactKind = 'start' | 'end' | 'rename' | 'deletion' | 'content'

/** The versions of all known facts of a call. */
export type FactVersions = Readonly<Record<FactKind, readonly bigint[]>>

/** Joins the records of a call that arrived together, `b` after `a`. A repeated start or end keeps its first time. */
export function joinFacts(a: CallFacts, b: CallFacts): CallFacts {
  return {
    project_id: a.project_id,
    id: a.id,
    start: replaced(a.start, b.start),
    end: replaced(a.end, b.end),
    rename: b.rename ?? a.rename,
    deletion: b.deletion ?? a.deletion,
    contents: a.contents === undefined ? b.contents : [...a.contents, ...(b.contents ?? [])],
  }
}

function replaced<F extends Fact>(a: F | undefined, b: F | undefined): F | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const isProvisional = versionStamp(b.version) === LOWEST_STAMP
  return hasSameContent(a.version, b.version) || isProvisional ? a : b
}

/** The last received of these starts or ends; if it repeats the content of those just before it, the first of these. */
export function winningVersion(versions: readonly bigint[]): bigint | undefined {
  const [first, ...others] = versions.toSorted(compareVersions)
  if (first === undefined) return undefined
  return others.reduce((last, next) => (hasSameContent(last, next) ? last : next), first)
}

/** The last received of these versions. */
export function latestVersion(versions: readonly bigint[]): bigint | undefined {
  return versions.reduce<bigint | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined)
}

function compareVersions(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The latest stamp of these facts. */
export function latestStamp({ start, end, rename }: FactVersions): Stamp {
  return versionStamp(latestVersion([...start, ...end, ...rename]) ?? 0n)
}
