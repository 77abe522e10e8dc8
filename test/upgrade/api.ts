/** Plain HTTP requests to a server of any release: the typed client knows only the current one. */
import { createHash } from 'node:crypto'

/** The project of the records, and the key and passwords of its users. Fixtures contain only their hashes. */
export const PROJECT = 'acme/shop'
export const API_KEY = 'hd_the-key-of-the-admin-of-the-upgrade-fixtures'
export const ADA_PASSWORD = 'the password of ada in the fixtures'

const AUTHORIZATION = `Basic ${Buffer.from(`api:${API_KEY}`).toString('base64')}`

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** Text is sent as it is. */
  readonly body?: unknown
}

export interface Response {
  readonly status: number
  /** The text; of large or binary responses the SHA-256. */
  readonly text: string
}

/** Larger responses are compared by their hash. */
const MAX_TEXT_BYTES = 32_768

export async function send(url: string, { method, path, body }: Request): Promise<Response> {
  const isBytes = body instanceof FormData
  const response = await fetch(url + path, {
    method,
    headers: { authorization: AUTHORIZATION, ...(isBytes ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined
      ? {}
      : { body: isBytes || typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isText = bytes.length <= MAX_TEXT_BYTES && Buffer.from(bytes.toString('utf8')).equals(bytes)
  const text = isText ? bytes.toString('utf8') : `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  return { status: response.status, text }
}

/** A write that the server must accept. */
export async function write<T = Record<string, string>>(
  url: string,
  method: Request['method'],
  path: string,
  body?: unknown,
): Promise<T> {
  const { status, text } = await send(url, { method, path, body })
  if (status !== 200) throw new Error(`${method} ${path} returned ${status}: ${text}`)
  return JSON.parse(text) as T
}
