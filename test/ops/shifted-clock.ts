import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An HTTP front of ClickHouse that changes the time in its responses, as a server with a wrong clock would. */
export interface ShiftedClock {
  readonly url: string
  stop(): Promise<void>
}

export async function startShiftedClock(targetUrl: string, seconds: number): Promise<ShiftedClock> {
  const target = new URL(targetUrl)
  const shift = (text: string): string =>
    text.replaceAll(/"now":"([^"]+)"/g, (_, time: string) => {
      const shifted = new Date(Date.parse(time) + seconds * 1_000).toISOString()
      return `"now":"${shifted}"`
    })
  const front = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const forwarded = request(
      {
        host: target.hostname,
        port: target.port,
        method,
        path: url,
        headers: { ...headers, 'accept-encoding': 'identity' },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const { 'content-length': _length, 'transfer-encoding': _encoding, ...rest } = response.headers
          outgoing.writeHead(response.statusCode ?? 500, rest).end(shift(Buffer.concat(chunks).toString()))
        })
      },
    )
    incoming.pipe(forwarded)
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    stop: async () => {
      front.closeAllConnections()
      front.close()
      await once(front, 'close')
    },
  }
}
