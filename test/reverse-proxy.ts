import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A reverse proxy that serves one server below a path, and nothing else. */
export interface ReverseProxy {
  /** With the path. */
  readonly url: string
  stop(): Promise<void>
}

export interface ReverseProxyOptions {
  /** The address of the server, without a path. */
  readonly target: string
  /** Such as `/heddle`. */
  readonly path: string
  /** Whether the server gets the path too, as by `proxy_pass http://heddle` without a URI. */
  readonly keepsPath: boolean
}

export async function startReverseProxy({
  target,
  path,
  keepsPath,
}: ReverseProxyOptions): Promise<ReverseProxy> {
  const { hostname, port } = new URL(target)
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming
    if (url !== path && !url.startsWith(`${path}/`)) return void outgoing.writeHead(404).end('no route')
    const forwardedPath = keepsPath ? url : url.slice(path.length) || '/'
    const forwarded = request({ hostname, port, method, path: forwardedPath, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
      outgoing.once('close', () => response.destroy())
    })
    forwarded.once('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${path}`,
    stop: async () => {
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
