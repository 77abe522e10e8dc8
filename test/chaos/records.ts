import { mix, Random } from './random.ts'

/**
 * Generates call records from their number and the seed. No record has to be stored: five million are compared byte by
 * byte with the records generated again. Numbers are assigned in blocks of a hundred; a block belongs to one project.
 */
export const BLOCK = 100

const TRACE = 10
const DAY_MS = 24 * 3600 * 1000
const POOL_CHARACTERS = 1 << 18

/** Each project has its own canary string in everything stored there. */
export const PROJECTS = ['chaos/large', 'chaos/other', 'chaos/small'] as const
/** Small enough to be read back page by page. */
const SMALL = 2
/** One block in this many belongs to the small project. */
const SMALL_SHARE = 20

export class Records {
  readonly #pool: string
  readonly #baseMs: number
  readonly #seed: number

  constructor(seed: number, baseMs: number) {
    const random = new Random(seed)
    this.#seed = seed
    this.#baseMs = baseMs
    let pool = ''
    // Includes letters beyond ASCII, to test exactness. No quotes or escapes, so that any slice is valid JSON text.
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz0123456789 ,.:-_{}[]éß中')
    while (pool.length < POOL_CHARACTERS) pool += random.pick(letters)
    this.#pool = pool
  }

  projectOf(n: number): number {
    const block = Math.floor(n / BLOCK)
    if (block % SMALL_SHARE === 0) return SMALL
    return mix(block ^ this.#seed) % 2
  }

  /** A UUIDv7, as SDKs generate: the time, then the number, which can be parsed back. */
  idOf(n: number): string {
    const time = this.#timeOf(n).toString(16).padStart(12, '0')
    const number = n.toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number}`
  }

  /** Returns undefined for an id that this run did not generate. */
  numberOf(id: string): number | undefined {
    const n = Number.parseInt(id.slice(24), 16)
    return Number.isSafeInteger(n) && this.idOf(n) === id ? n : undefined
  }

  opOf(n: number): string {
    return `op-${n % 7}`
  }

  /** A call may start twice, with different inputs; the last acknowledged start wins. */
  inputsOf(n: number, variant: 0 | 1): string {
    return `{"n": ${n},"canary":"${canaryOf(this.projectOf(n))}","exact":[1.0,1e2,12345678901234567890],"text":"${this.#text(n, 1 + 4 * variant)}"}`
  }

  /** A call may end twice, with different outputs; the last acknowledged end wins. */
  outputOf(n: number, variant: 0 | 1): string {
    return `{"n":${n},"canary":"${canaryOf(this.projectOf(n))}","variant":${variant}.0,"text":"${this.#text(n, 2 + variant)}"}`
  }

  /** Some calls have a display name in their start record. */
  givenNameOf(n: number, variant: 0 | 1): string | null {
    return (n + variant) % 11 === 0 ? `given ${n} ${variant}` : null
  }

  nameOf(n: number, variant: 0 | 1): string {
    return `renamed ${n} ${variant}`
  }

  start(n: number, variant: 0 | 1 = 0): string {
    return `{${this.#startMembers(n, variant)}}`
  }

  end(n: number, variant: 0 | 1 = 0): string {
    return `{"project_id":"${PROJECTS[this.projectOf(n)]}","id":"${this.idOf(n)}",${this.#endMembers(n, variant)}}`
  }

  complete(n: number, variant: 0 | 1 = 0): string {
    return `{${this.#startMembers(n, variant)},${this.#endMembers(n, variant)}}`
  }

  #startMembers(n: number, variant: 0 | 1): string {
    const root = n - (n % TRACE)
    const parent = root === n ? 'null' : `"${this.idOf(root)}"`
    const given = this.givenNameOf(n, variant)
    // The second start may have an earlier, an equal or a later time than the first.
    const started = iso(this.#startedMs(n) + variant * ((n % 3) - 1) * 2_000)
    return (
      `"project_id":"${PROJECTS[this.projectOf(n)]}","id":"${this.idOf(n)}","trace_id":"${this.idOf(root)}",` +
      `"parent_id":${parent},"op_name":"${this.opOf(n)}","started_at":"${started}",` +
      (given === null ? '' : `"display_name":"${given}",`) +
      `"attributes":{"canary":"${canaryOf(this.projectOf(n))}"},"inputs":${this.inputsOf(n, variant)}`
    )
  }

  #endMembers(n: number, variant: 0 | 1): string {
    const ended = iso(this.#startedMs(n) + (mix(n ^ 77) % 5000) - 500 + variant * ((n % 3) - 1) * 10_000)
    return `"ended_at":"${ended}","output":${this.outputOf(n, variant)},"summary":{}`
  }

  /** Advances by 1 ms every four calls, independent of the write rate. */
  #timeOf(n: number): number {
    return this.#baseMs + Math.floor(n / 4)
  }

  /** One block in twenty has a client clock that is wrong by up to a day. */
  #startedMs(n: number): number {
    const time = this.#timeOf(n)
    const block = Math.floor(n / BLOCK)
    if (mix(block ^ 0x51ed) % 20 !== 0) return time
    return time + (mix(block ^ 0xabc) % (2 * DAY_MS)) - DAY_MS
  }

  #text(n: number, salt: number): string {
    const h = mix(Math.imul(n, 4) + salt + this.#seed)
    const length = n % 20_011 === 5 ? 100_000 : n % 499 === 7 ? 8_000 : 40 + (h % 160)
    const from = h % (POOL_CHARACTERS - length)
    return this.#pool.slice(from, from + length)
  }
}

export function canaryOf(project: number): string {
  return `canary-of-${PROJECTS[project]?.slice('chaos/'.length)}`
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
