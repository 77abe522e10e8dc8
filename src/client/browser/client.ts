import type { StreamedBytes, TypedBytes } from '../../contract/operation.ts'
import type { ResponseOf, InputOf, OperationName } from '../../contract/operations.ts'
import { ApiError } from '../../contract/api-error.ts'
import { ACCEPT_PARTIAL_HEADER, PARTIAL_HEADER, partialShards } from '../../contract/partial.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { readApiError } from '../api-error.ts'
import { cutOffError } from '../cut-off.ts'
import { buildRequest } from '../encoded-request.ts'
import { readEventData } from '../event-data.ts'
import { parseResponse } from './responses.ts'
import type { Route } from './route.ts'
import { type JsonText, writeJsonText } from './json-text.ts'
import { readTextLines } from './lines.ts'
import { routes } from './routes.generated.ts'

/**
 * Typed API client for browsers: the same operations and types as src/client/client.ts, without the schemas. The
 * session cookie authenticates the caller.
 */

/** Maps a type of the contract to its form in a browser. */
type InBrowser<T> = T extends RawJson
  ? JsonText
  : T extends Buffer
    ? Blob
    : T extends StreamedBytes | TypedBytes
      ? Response
      : T extends AsyncIterable<infer Item>
        ? AsyncIterable<InBrowser<Item>>
        : T extends object
          ? { [Key in keyof T]: InBrowser<T[Key]> }
          : T

export type BrowserInput<Name extends OperationName> = InBrowser<InputOf<Name>>
export type BrowserResponse<Name extends OperationName> = InBrowser<ResponseOf<Name>>

export interface BrowserClient {
  /** Throws the `ApiError` that the server returned, or `unavailable` if there was no response. */
  call<Name extends OperationName>(
    name: Name,
    request: BrowserInput<Name>,
    signal?: AbortSignal,
  ): Promise<BrowserResponse<Name>>
  /** Returns the response body as unparsed text. */
  text<Name extends OperationName>(
    name: Name,
    request: BrowserInput<Name>,
    signal?: AbortSignal,
  ): Promise<string>
  /** Returns the response before its body is read, for callers that check its size first. */
  response<Name extends OperationName>(
    name: Name,
    request: BrowserInput<Name>,
    signal?: AbortSignal,
  ): Promise<Response>
}

/** Required for requests that change data with a session cookie. A form on another site cannot send it. */
const CSRF_HEADERS = { 'x-heddle-web': '1' }

interface BrowserClientOptions {
  /** The start of every URL path of the server. */
  readonly basePath: string
  /** Whether the page is being closed; requests sent then must outlive it (`keepalive`). */
  readonly isLeaving?: () => boolean
  /** Called with the shards of a cluster that a response leaves out because they are unavailable. */
  readonly onPartial: (shards: readonly number[]) => void
}

export function createBrowserClient({
  basePath,
  isLeaving = () => false,
  onPartial,
}: BrowserClientOptions): BrowserClient {
  const send = async (route: Route, request: object, signal?: AbortSignal): Promise<Response> => {
    const { path, ...init } = buildRequest(route, request, writeJsonText)
    const response = await fetch(basePath + path, {
      ...init,
      credentials: 'same-origin',
      keepalive: isLeaving(),
      headers: { ...CSRF_HEADERS, [ACCEPT_PARTIAL_HEADER]: 'true', ...init.headers },
      ...(signal === undefined ? {} : { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted === true) throw error
      throw new ApiError('unavailable', 'the server does not respond; try again', { cause: error })
    })
    if (!response.ok) throw await readApiError(response)
    const missing = partialShards(response.headers.get(PARTIAL_HEADER))
    if (missing.length > 0) onPartial(missing)
    return response
  }
  const call = async (name: OperationName, request: object, signal?: AbortSignal): Promise<unknown> => {
    const route: Route = routes[name]
    const response = await send(route, request, signal)
    switch (route.responseFormat) {
      case 'bytes':
        return response.blob()
      case 'stream':
      case 'otlp':
        return response
      case 'jsonl':
        return readDocuments(readTextLines(response), route)
      case 'events':
        return readDocuments(readEventData(readTextLines(response)), route)
      case 'json':
        return parseResponse(await readText(response), route.payloads)
    }
  }
  return {
    call: call as BrowserClient['call'],
    text: async (name, request, signal) => readText(await send(routes[name], request, signal)),
    response: (name, request, signal) => send(routes[name], request, signal),
  }
}

async function* readDocuments(lines: AsyncIterable<string>, route: Route): AsyncGenerator {
  for await (const line of lines) yield parseResponse(line, route.payloads)
}

async function readText(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw cutOffError(error)
  }
}
