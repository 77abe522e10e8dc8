import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import { isPartial, type Target } from './client.ts'

/** Reads back data after the faults have ended: every failure throws. */
export class Api {
  readonly #target: Target
  readonly #authorization: string

  constructor(target: Target, authorization: string) {
    this.#target = target
    this.#authorization = authorization
  }

  async post<T>(path: string, body: object): Promise<T> {
    return JSON.parse(await this.text(path, body)) as T
  }

  async text(path: string, body: object): Promise<string> {
    const parts: string[] = []
    for await (const line of this.lines(path, body)) parts.push(line)
    return parts.join('\n')
  }

  /** Also throws if the response is incomplete. */
  async *lines(path: string, body: object): AsyncGenerator<string> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(
        this.#target.url + path,
        { method: 'POST', agent: false, headers: { authorization: this.#authorization } },
        resolve,
      )
        .once('error', reject)
        .end(JSON.stringify(body))
    })
    if (response.statusCode !== 200) {
      response.setEncoding('utf8')
      let text = ''
      for await (const chunk of response as AsyncIterable<string>) text += chunk
      throw new Error(`${path} returned ${response.statusCode}: ${text}`)
    }
    yield* createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY })
    if (!response.complete) throw new Error(`the response of ${path} ended early`)
    if (isPartial(response)) throw new Error(`the response of ${path} is partial, but every shard responds`)
  }
}
