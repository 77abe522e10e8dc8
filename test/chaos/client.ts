import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from './random.ts'

/** A node as clients address it. */
export interface Target {
  readonly name: string
  readonly url: string
}

export interface ChaosResponse {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | undefined
  /** The list lacks what is on a shard that is down. */
  readonly isPartial: boolean
}

/** Request counters over all clients. */
export class Tally {
  requests = 0
  /** Requests of which several copies were sent concurrently. */
  duplicated = 0
  /** Responses 429, 503 and 504: the client retries. */
  refused = 0
  /** Broken connections; whether the record was stored is unknown. */
  broken = 0
  /** Records that a client did not retry after a failure or a missing response. */
  abandoned = 0
  /** Reads of just acknowledged records through a random node. */
  readBack = 0
  /** Responses that no injected fault explains. */
  readonly errors: string[] = []
  readonly statuses = new Map<number, number>()

  reportError(sentence: string): void {
    this.errors.push(sentence)
    if (this.errors.length <= MAX_PRINTED_ERRORS) console.log(`WRONG: ${sentence}`)
  }
}

const MAX_PRINTED_ERRORS = 20
const TIMEOUT_MS = 45_000
const MAX_RETRY_MS = 180_000
const RETRYABLE: ReadonlySet<number> = new Set([429, 503, 504])

/** Whether the response says that it lacks what is on a shard that is down. */
export function isPartial({ headers, trailers }: IncomingMessage): boolean {
  return PARTIAL in headers || PARTIAL in trailers
}

const PARTIAL = 'heddle-partial'

/** Called for each request that failed. */
type FailureListener = (target: Target, startedAt: number, reason: string) => void

export interface ClientOptions {
  readonly targets: readonly Target[]
  readonly authorization: string
  readonly tally: Tally
  readonly onFailure: FailureListener
}

/** A client that sends to random nodes and retries until a request is acknowledged, as SDKs do. */
export class Client {
  readonly #options: ClientOptions
  readonly #random: Random
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32, timeout: TIMEOUT_MS })

  constructor(options: ClientOptions, random: Random) {
    this.#options = options
    this.#random = random
  }

  get targets(): readonly Target[] {
    return this.#options.targets
  }

  /** Returns whether the request was acknowledged; false means unknown. 3 % of requests are not retried. */
  async deliver(path: string, body: string): Promise<boolean> {
    const { tally } = this.#options
    const retries = !this.#random.chance(0.03)
    const until = performance.now() + MAX_RETRY_MS
    for (let wait = 20; performance.now() < until; wait = Math.min(wait * 2, 1_000)) {
      const copies = this.#random.chance(0.08) ? this.#random.between(2, 5) : 1
      if (copies > 1) tally.duplicated++
      if (await this.#sendCopies(copies, path, body)) return true
      if (!retries) break
      await sleep(wait * (0.5 + this.#random.next()))
    }
    tally.abandoned++
    return false
  }

  /** Sends copies concurrently to random nodes; all successful responses must be equal. */
  async #sendCopies(copies: number, path: string, body: string): Promise<boolean> {
    const responses = await Promise.all(
      Array.from({ length: copies }, () => this.attempt(path, body, this.#random.pick(this.targets))),
    )
    const good = responses.filter((response) => response?.status === 200)
    // Responses to copies of a deletion differ: only one of them counts the deleted calls.
    const mustBeEqual = path.startsWith('/call') && path !== '/calls/delete'
    if (mustBeEqual && new Set(good.map((response) => response?.text)).size > 1) {
      this.#options.tally.reportError(
        `copies of one request got different responses: ${path} ${good.map((response) => response?.text.slice(0, 200)).join(' | ')}`,
      )
    }
    return good.length > 0
  }

  /** Returns undefined if the connection broke. */
  async attempt(
    path: string,
    body: string,
    target: Target,
    acceptsPartial = false,
  ): Promise<ChaosResponse | undefined> {
    const { tally, onFailure } = this.#options
    const startedAt = performance.now()
    tally.requests++
    const response = await this.#post(target, path, body, acceptsPartial).catch((error: unknown) => {
      tally.broken++
      onFailure(target, startedAt, `${path} broke: ${String(error)}`)
      return undefined
    })
    if (response === undefined || response.status === 200) return response
    tally.statuses.set(response.status, (tally.statuses.get(response.status) ?? 0) + 1)
    if (RETRYABLE.has(response.status)) {
      tally.refused++
      onFailure(target, startedAt, `${path} returned ${response.status}: ${response.text.slice(0, 300)}`)
      if (response.retryAfter === undefined)
        tally.reportError(`${path} returned ${response.status} without Retry-After`)
    } else {
      tally.reportError(
        `${path} on ${target.name} returned ${response.status}: ${response.text.slice(0, 500)}`,
      )
    }
    return response
  }

  close(): void {
    this.#agent.destroy()
  }

  #post(target: Target, path: string, body: string, acceptsPartial: boolean): Promise<ChaosResponse> {
    const { authorization } = this.#options
    const length = Buffer.byteLength(body)
    return new Promise((resolve, reject) => {
      const sent = request(
        target.url + path,
        {
          method: 'POST',
          agent: this.#agent,
          headers: {
            authorization,
            'content-type': 'application/json',
            'content-length': length,
            ...(acceptsPartial ? { 'heddle-accept-partial': 'true' } : {}),
          },
          timeout: TIMEOUT_MS,
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          response.once('error', reject)
          response.once('close', () => reject(new Error('the response ended early')))
          response.once('end', () => {
            if (response.complete)
              resolve({
                status: response.statusCode ?? 0,
                text,
                retryAfter: response.headers['retry-after'],
                isPartial: isPartial(response),
              })
            else reject(new Error('the response ended early'))
          })
        },
      )
      sent.once('timeout', () => sent.destroy(new Error(`no response within ${TIMEOUT_MS} ms`)))
      sent.once('error', reject)
      sent.end(body)
    })
  }
}
