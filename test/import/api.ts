/** One side of an import, over plain HTTP. */
export interface Side {
  readonly url: string
  readonly key: string
}

export const PROJECT = 'admin/moving'

export async function send(
  side: Side,
  path: string,
  body: string | FormData,
  method = 'POST',
): Promise<Response> {
  const response = await fetch(side.url + path, {
    method,
    headers: { authorization: `Basic ${Buffer.from(`api:${side.key}`).toString('base64')}` },
    body,
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response
}

export async function post<T = Record<string, unknown>>(side: Side, path: string, body: object): Promise<T> {
  const response = await send(side, path, JSON.stringify({ project_id: PROJECT, ...body }))
  return (await response.json()) as T
}
