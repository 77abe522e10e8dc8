import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from './random.ts'

/** A node as clients reach it. */
export interface Target {
  readonly name: string
  readonly url: string
}

export interface Answer {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | undefined
}

/** What happened on the way, over all clients. */
export class Tally {
  requests = 0
  /** Requests of which more than one copy was sent at once. */
  duplicated = 0
  /** 429, 503, 504: try again. */
  refused = 0
  /** Connections that broke; whether the record is stored is not known. */
  broken = 0
  /** Records that a client did not send again after it had heard nothing, or no. */
  abandoned = 0
  /** Reads of what had just been acknowledged, through the other node. */
  readBack = 0
  /** Answers that no fault explains, as sentences. */
  readonly wrong: string[] = []
  readonly statuses = new Map<number, number>()

  say(sentence: string): void {
    this.wrong.push(sentence)
    if (this.wrong.length <= MOST_TOLD) console.log(`WRONG: ${sentence}`)
  }
}

const MOST_TOLD = 20
const TIMEOUT_MS = 45_000
const GIVE_UP_MS = 180_000
const RETRY_LATER: ReadonlySet<number> = new Set([429, 503, 504])

/** Called for each request that failed while it was under way. */
type FailureListener = (target: Target, beganAt: number, what: string) => void

export interface ClientOptions {
  readonly targets: readonly Target[]
  readonly authorization: string
  readonly tally: Tally
  readonly onFailure: FailureListener
}

/** One client: sends to any node, and again until it is told yes, as SDKs do. */
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

  /** Whether it was acknowledged; false leaves it unknown. `fragile` ones are now and then not sent again. */
  async deliver(path: string, body: string): Promise<boolean> {
    const { tally } = this.#options
    const isStubborn = !this.#random.chance(0.03)
    const until = performance.now() + GIVE_UP_MS
    for (let wait = 20; performance.now() < until; wait = Math.min(wait * 2, 1_000)) {
      const copies = this.#random.chance(0.08) ? this.#random.between(2, 5) : 1
      if (copies > 1) tally.duplicated++
      if (await this.#sendCopies(copies, path, body)) return true
      if (!isStubborn) break
      await sleep(wait * (0.5 + this.#random.next()))
    }
    tally.abandoned++
    return false
  }

  /** Copies at once, to different nodes; all that say yes must say the same. */
  async #sendCopies(copies: number, path: string, body: string): Promise<boolean> {
    const answers = await Promise.all(
      Array.from({ length: copies }, () => this.attempt(path, body, this.#random.pick(this.targets))),
    )
    const good = answers.filter((answer) => answer?.status === 200)
    // How many a deletion deleted is for one of them to say.
    const isAlike = path.startsWith('/call') && path !== '/calls/delete'
    if (isAlike && new Set(good.map((answer) => answer?.text)).size > 1) {
      this.#options.tally.say(
        `copies of one request were answered differently: ${path} ${good.map((answer) => answer?.text.slice(0, 200)).join(' | ')}`,
      )
    }
    return good.length > 0
  }

  /** Undefined if the connection broke. */
  async attempt(path: string, body: string, target: Target): Promise<Answer | undefined> {
    const { tally, onFailure } = this.#options
    const beganAt = performance.now()
    tally.requests++
    const answer = await this.#post(target, path, body).catch((error: unknown) => {
      tally.broken++
      onFailure(target, beganAt, `${path} broke: ${String(error)}`)
      return undefined
    })
    if (answer === undefined || answer.status === 200) return answer
    tally.statuses.set(answer.status, (tally.statuses.get(answer.status) ?? 0) + 1)
    if (RETRY_LATER.has(answer.status)) {
      tally.refused++
      onFailure(target, beganAt, `${path} was answered ${answer.status}: ${answer.text.slice(0, 300)}`)
      if (answer.retryAfter === undefined)
        tally.say(`${path} was answered ${answer.status} without Retry-After`)
    } else {
      tally.say(`${path} was answered ${answer.status} by ${target.name}: ${answer.text.slice(0, 500)}`)
    }
    return answer
  }

  close(): void {
    this.#agent.destroy()
  }

  #post(target: Target, path: string, body: string): Promise<Answer> {
    const { authorization } = this.#options
    const length = Buffer.byteLength(body)
    return new Promise((settle, reject) => {
      const sent = request(
        target.url + path,
        {
          method: 'POST',
          agent: this.#agent,
          headers: { authorization, 'content-type': 'application/json', 'content-length': length },
          timeout: TIMEOUT_MS,
        },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          answer.once('error', reject)
          answer.once('close', () => reject(new Error('the answer ended early')))
          answer.once('end', () => {
            if (answer.complete)
              settle({ status: answer.statusCode ?? 0, text, retryAfter: answer.headers['retry-after'] })
            else reject(new Error('the answer ended early'))
          })
        },
      )
      sent.once('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)))
      sent.once('error', reject)
      sent.end(body)
    })
  }
}
