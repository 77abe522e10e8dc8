import type { ResponseFormat, Method, StreamedBytes } from '../../contract/operation.ts'
import type { ResponseOf, InputOf, OperationName } from '../../contract/operations.ts'
import { ApiError } from '../../contract/api-error.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { problemOf } from '../api-error.ts'
import { type Payloads, readAnswer } from './responses.ts'
import type { JsonText } from './json-text.ts'
import { writeJsonText } from './json-text.ts'
import { readEventData, readTextLines } from './lines.ts'
import { routes } from './routes.generated.ts'

/**
 * The typed caller of the API for browsers: the same names and types as src/client/client.ts, without the schemas. Who
 * is calling is known by the cookie of the session.
 */

export interface Route {
  readonly method: Method
  readonly path: string
  readonly body: 'json' | 'multipart' | 'none'
  readonly responseFormat: ResponseFormat
  readonly payloads?: Payloads
}

/** A type of the contract as a browser has it. */
type InBrowser<T> = T extends RawJson
  ? JsonText
  : T extends Buffer
    ? Blob
    : T extends StreamedBytes
      ? Response
      : T extends AsyncIterable<infer Item>
        ? AsyncIterable<InBrowser<Item>>
        : T extends object
          ? { [Key in keyof T]: InBrowser<T[Key]> }
          : T

export type BrowserInput<Name extends OperationName> = InBrowser<InputOf<Name>>
export type BrowserAnswer<Name extends OperationName> = InBrowser<ResponseOf<Name>>

export interface BrowserClient {
  /** Throws the `Problem` that the server answered, or `unavailable` if it did not. */
  call<Name extends OperationName>(
    name: Name,
    request: BrowserInput<Name>,
    signal?: AbortSignal,
  ): Promise<BrowserAnswer<Name>>
  /** The text of the answer as it is, for readers that find their own way in it. */
  text<Name extends OperationName>(
    name: Name,
    request: BrowserInput<Name>,
    signal?: AbortSignal,
  ): Promise<string>
  /** The answer as it begins to come, for readers that look at its size before they take all of it. */
  response<Name extends OperationName>(
    name: Name,
    request: BrowserInput<Name>,
    signal?: AbortSignal,
  ): Promise<Response>
}

/** Requests with a cookie that change something must carry it: no form of another site can. */
const OWN_PAGE = { 'x-heddle-web': '1' }

/** @param isLeaving what a page still sends while it is being left must outlive it. */
export function createBrowserClient(isLeaving = (): boolean => false): BrowserClient {
  const send = async (route: Route, request: object, signal?: AbortSignal): Promise<Response> => {
    const response = await fetch(pathOf(route, request), {
      method: route.method,
      credentials: 'same-origin',
      keepalive: isLeaving(),
      headers: { ...OWN_PAGE, ...(route.body === 'json' ? { 'content-type': 'application/json' } : {}) },
      ...(route.body === 'none' ? {} : { body: bodyOf(route, request) }),
      ...(signal === undefined ? {} : { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted === true) throw error
      throw new ApiError('unavailable', 'the server does not answer', { cause: error })
    })
    if (!response.ok) throw await problemOf(response)
    return response
  }
  const call = async (name: OperationName, request: object, signal?: AbortSignal): Promise<unknown> => {
    const route: Route = routes[name]
    const response = await send(route, request, signal)
    switch (route.responseFormat) {
      case 'bytes':
        return response.blob()
      case 'stream':
        return response
      case 'jsonl':
        return readDocuments(readTextLines(response), route)
      case 'events':
        return readDocuments(readEventData(response), route)
      case 'json':
        return readAnswer(await textOf(response), route.payloads)
    }
  }
  return {
    call: call as BrowserClient['call'],
    text: async (name, request, signal) => textOf(await send(routes[name], request, signal)),
    response: (name, request, signal) => send(routes[name], request, signal),
  }
}

async function* readDocuments(lines: AsyncIterable<string>, route: Route): AsyncGenerator {
  for await (const line of lines) yield readAnswer(line, route.payloads)
}

async function textOf(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new ApiError('unavailable', 'the answer was cut off', { cause: error })
  }
}

const IN_PATH = /\{(\w+)\}/g

function pathOf(route: Route, request: object): string {
  const fields = new Map<string, unknown>(Object.entries(request))
  const path = route.path.replace(IN_PATH, (_, name: string) => {
    const value = fields.get(name)
    fields.delete(name)
    return encodeURIComponent(fieldText(value))
  })
  if (route.body !== 'none') return path
  const query = new URLSearchParams()
  // A list is its name several times.
  for (const [name, field] of fields)
    for (const value of [field].flat())
      if (value !== undefined && value !== null) query.append(name, fieldText(value))
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

function bodyOf(route: Route, request: object): string | FormData {
  const inPath = new Set([...route.path.matchAll(IN_PATH)].map(([, name]) => name))
  const fields = Object.entries(request).filter(([name]) => !inPath.has(name))
  if (route.body === 'json') return writeJsonText(Object.fromEntries(fields))
  const form = new FormData()
  for (const [name, value] of fields) {
    if (value instanceof Blob) form.append(name, value, name)
    else if (value !== undefined && value !== null) form.append(name, fieldText(value))
  }
  return form
}

/** Fields outside of a JSON body are text; anything else is written as JSON. */
function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : writeJsonText(value)
}
