/** A server of the import test: source or target. */
export interface Server {
  readonly url: string
  readonly key: string
}

export const PROJECT = 'admin/moving'

export async function send(
  server: Server,
  path: string,
  body: string | FormData,
  method = 'POST',
): Promise<Response> {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Basic ${Buffer.from(`api:${server.key}`).toString('base64')}` },
    body,
  })
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
  return response
}

export async function post<T = Record<string, unknown>>(
  server: Server,
  path: string,
  body: object,
): Promise<T> {
  const response = await send(server, path, JSON.stringify({ project_id: PROJECT, ...body }))
  return (await response.json()) as T
}
