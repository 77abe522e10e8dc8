import { randomBytes, randomUUID } from 'node:crypto'
import { Skip } from './check.ts'

/** Plain HTTP to the server under test, and nothing of Heddle: what a client that only read SPEC.md would do. */
export type Doc = Record<string, unknown>

export interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

export interface Target {
  readonly url: string
  readonly user: string
  readonly password: string
  readonly project_id: string
  /** The fixed word that refs begin with. */
  readonly scheme: string
  /** Our own server answers what SPEC leaves open in one documented way; of others we accept any reasonable one. */
  readonly own: boolean
}

export class Api {
  /** Part of every name this run makes, so that it can share a project with other data. */
  readonly run = randomBytes(4).toString('hex')
  /** Operations that have answered with success. */
  readonly answered = new Set<string>()
  readonly target: Target
  readonly project_id: string
  readonly own: boolean

  constructor(target: Target) {
    this.target = target
    this.project_id = target.project_id
    this.own = target.own
  }

  /** A body given as text is sent byte by byte. */
  async send(
    path: string,
    body: unknown,
    authorization: string | null = this.authorization(),
  ): Promise<Answer> {
    const response = await fetch(this.target.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status === 200) this.answered.add(path)
    return { status: response.status, type: response.headers.get('content-type') ?? '', text }
  }

  /** A request that SPEC says must succeed. */
  async post(path: string, body: unknown): Promise<Doc> {
    return this.parsed(path, await this.send(path, body))
  }

  /** A request whose shape SPEC does not show: another server may refuse it, and is then not judged by it. */
  async postUnshown(path: string, body: unknown): Promise<Doc> {
    const answer = await this.send(path, body)
    if (!this.own && MISSING.includes(answer.status)) {
      throw new Skip(
        `not shown in SPEC, and refused here: ${path} answered ${answer.status} ${brief(answer.text)}`,
      )
    }
    return this.parsed(path, answer)
  }

  /** A request that cannot be right. SPEC shows no status codes: 400 and 422 are what ours answers. */
  async refuses(path: string, body: unknown, ...others: number[]): Promise<void> {
    const { status, text } = await this.send(path, body)
    const refused = [400, 422, ...others].includes(status) || (!this.own && [409, 413].includes(status))
    if (!refused) throw new Error(`expected a refusal, got ${status} ${brief(text)}`)
  }

  authorization(user = this.target.user, password = this.target.password): string {
    return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  }

  /** A name that no other run uses. */
  name(text: string): string {
    return `conf-${this.run}-${text}`
  }

  id(): string {
    return randomUUID()
  }

  ref(kind: 'object' | 'op' | 'call', tail: string): string {
    return `${this.target.scheme}:///${this.project_id}/${kind}/${tail}`
  }

  private parsed(path: string, { status, text }: Answer): Doc {
    if (status !== 200) throw new Error(`${path} answered ${status}: ${brief(text)}`)
    return JSON.parse(text) as Doc
  }
}

/** How a server says that it does not have something, or not in this shape. */
export const MISSING: readonly number[] = [400, 404, 405, 422, 501]

export function brief(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 300)
}
