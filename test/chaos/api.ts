import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import type { Target } from './client.ts'

/** Reading when everything is whole again: every failure is thrown. */
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

  /** Throws also if the answer is not whole. */
  async *lines(path: string, body: object): AsyncGenerator<string> {
    const answer = await new Promise<IncomingMessage>((settle, reject) => {
      request(
        this.#target.url + path,
        { method: 'POST', agent: false, headers: { authorization: this.#authorization } },
        settle,
      )
        .once('error', reject)
        .end(JSON.stringify(body))
    })
    if (answer.statusCode !== 200) {
      answer.setEncoding('utf8')
      let text = ''
      for await (const chunk of answer as AsyncIterable<string>) text += chunk
      throw new Error(`${path} answered ${answer.statusCode}: ${text}`)
    }
    yield* createInterface({ input: answer, crlfDelay: Number.POSITIVE_INFINITY })
    if (!answer.complete) throw new Error(`the answer of ${path} ended early`)
  }
}
