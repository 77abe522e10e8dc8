import { type BrowserClient, createBrowserClient } from '../../client/browser/client.ts'
import { ApiError } from '../../client/browser/api-error.ts'
import { BASE_PATH } from './base-path.ts'
import { setConnectionStatus } from './connection.ts'
import { reportUnavailableShards, shardsOf } from './unavailable-shards.ts'

let isLeaving = false
// Unit tests have no window.
if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', () => (isLeaving = true))
  window.addEventListener('pageshow', () => (isLeaving = false))
}

const client = createBrowserClient({
  basePath: BASE_PATH,
  isLeaving: () => isLeaving,
  onPartial: reportUnavailableShards,
})

/** The API client of the page. Each response updates the connection status. */
export const api: BrowserClient = {
  call: (name, request, signal) => withConnectionStatus(() => client.call(name, request, signal)),
  text: (name, request, signal) => withConnectionStatus(() => client.text(name, request, signal)),
  response: (name, request, signal) => withConnectionStatus(() => client.response(name, request, signal)),
}

async function withConnectionStatus<T>(send: () => Promise<T>): Promise<T> {
  try {
    const response = await send()
    setConnectionStatus('online')
    return response
  } catch (error) {
    // An error with a request id came from the server itself, so the server is reachable.
    if (error instanceof ApiError) {
      setConnectionStatus(isUnreachable(error) ? 'offline' : 'online')
      reportUnavailableShards(shardsOf(error.extra))
    }
    throw error
  }
}

/** No response at all, or the response of a proxy in front of a stopped server. */
function isUnreachable(error: ApiError): boolean {
  return error.code === 'unavailable' && error.extra['request_id'] === undefined
}
