import { randomBytes, randomUUID } from 'node:crypto'
import { Skip } from './check.ts'

/** A plain HTTP client for the server under test. It uses no Heddle code: only what docs/specification.md has. */
export type Doc = Record<string, unknown>

export interface ApiResponse {
  readonly status: number
  readonly type: string
  readonly text: string
}

export interface Target {
  /** Of the nodes; requests are sent to them in turn. */
  readonly urls: readonly string[]
  readonly user: string
  readonly password: string
  readonly project_id: string
  /** The URI scheme of refs. */
  readonly scheme: string
  /** Where the Weave protocol is open, Heddle must behave as documented; another server may behave in any reasonable way. */
  readonly isHeddle: boolean
}

export class Api {
  /** Part of every name that this run creates, so that it can share a project with other data. */
  readonly run = randomBytes(4).toString('hex')
  /** Paths of operations that have returned 200. */
  readonly succeededPaths = new Set<string>()
  readonly target: Target
  readonly project_id: string
  readonly isHeddle: boolean
  #requests = 0

  constructor(target: Target) {
    this.target = target
    this.project_id = target.project_id
    this.isHeddle = target.isHeddle
  }

  /** The node of the next request. */
  get url(): string {
    const { urls } = this.target
    return urls[this.#requests++ % urls.length] ?? ''
  }

  /** A string body is sent unchanged. */
  async send(
    path: string,
    body: unknown,
    authorization: string | null = this.authorization(),
  ): Promise<ApiResponse> {
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status === 200) this.succeededPaths.add(path)
    return { status: response.status, type: response.headers.get('content-type') ?? '', text }
  }

  /** Sends a request that must succeed on every server. */
  async post(path: string, body: unknown): Promise<Doc> {
    return this.parsed(path, await this.send(path, body))
  }

  /** Sends a request that another server may not support. If it rejects the request, the check is skipped. */
  async postUndocumented(path: string, body: unknown): Promise<Doc> {
    const response = await this.send(path, body)
    if (!this.isHeddle && UNSUPPORTED_STATUSES.includes(response.status)) {
      throw new Skip(
        `not every server supports it: ${path} returned ${response.status} ${brief(response.text)}`,
      )
    }
    return this.parsed(path, response)
  }

  /** Sends an invalid request. Heddle returns 400 or 422; another server may also return 409 or 413. */
  async rejects(path: string, body: unknown, ...others: number[]): Promise<void> {
    await this.rejection(path, body, others)
  }

  /** Sends an invalid request; the error must name the field. */
  async rejectsNaming(name: string, path: string, body: unknown): Promise<void> {
    const text = await this.rejection(path, body)
    if (this.isHeddle && !text.includes(name))
      throw new Error(`expected an error about ${name}, got ${brief(text)}`)
  }

  /** Sends a request that may be accepted or rejected, but must not fail. */
  async doesNotFail(path: string, body: unknown): Promise<void> {
    const { status, text } = await this.send(path, body)
    if (status >= 500) throw new Error(`expected a response below 500, got ${status} ${brief(text)}`)
  }

  authorization(user = this.target.user, password = this.target.password): string {
    return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  }

  /** A name that is unique to this run. */
  name(text: string): string {
    return `conf-${this.run}-${text}`
  }

  id(): string {
    return randomUUID()
  }

  ref(kind: 'object' | 'op' | 'call', tail: string): string {
    return `${this.target.scheme}:///${this.project_id}/${kind}/${tail}`
  }

  private async rejection(path: string, body: unknown, others: readonly number[] = []): Promise<string> {
    const { status, text } = await this.send(path, body)
    const isRejected =
      [400, 422, ...others].includes(status) || (!this.isHeddle && [409, 413].includes(status))
    if (!isRejected) throw new Error(`expected a rejection, got ${status} ${brief(text)}`)
    return text
  }

  private parsed(path: string, { status, text }: ApiResponse): Doc {
    if (status !== 200) throw new Error(`${path} returned ${status}: ${brief(text)}`)
    return JSON.parse(text) as Doc
  }
}

/** Statuses with which a server rejects an operation or a request shape that it does not support. */
export const UNSUPPORTED_STATUSES: readonly number[] = [400, 404, 405, 422, 501]

export function brief(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 300)
}
