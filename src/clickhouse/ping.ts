import { get } from 'node:http'

/**
 * Whether the engine answers 200. On a connection of its own: one that is kept alive makes the engine wait for
 * seconds when it is asked to stop.
 */
export function isAnswering(url: string, headers: Readonly<Record<string, string>> = {}): Promise<boolean> {
  return new Promise((settle) => {
    const request = get(url, { agent: false, timeout: 3_000, headers }, (answer) => {
      answer.resume().once('close', () => settle(answer.statusCode === 200))
    })
    request.once('timeout', () => request.destroy()).once('error', () => settle(false))
  })
}
