import { get } from 'node:http'

/** Whether ClickHouse responds with 200. Uses a new connection: a kept-alive one would delay its shutdown by seconds. */
export function isResponding(url: string, headers: Readonly<Record<string, string>> = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 3_000, headers }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode === 200))
    })
    request.once('timeout', () => request.destroy()).once('error', () => resolve(false))
  })
}
