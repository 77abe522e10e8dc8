import { type BrowserClient, createBrowserClient } from '../../client/browser/client.ts'
import { ApiError } from '../../client/browser/api-error.ts'
import { noteConnection } from './connection.ts'

let isLeaving = false
// Tests of what uses this have no window.
if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', () => (isLeaving = true))
  window.addEventListener('pageshow', () => (isLeaving = false))
}

const client = createBrowserClient(() => isLeaving)

/** The server that the page came from. Each answer tells whether it is there. */
export const api: BrowserClient = {
  call: (name, request, signal) => noting(() => client.call(name, request, signal)),
  text: (name, request, signal) => noting(() => client.text(name, request, signal)),
  response: (name, request, signal) => noting(() => client.response(name, request, signal)),
}

async function noting<T>(ask: () => Promise<T>): Promise<T> {
  try {
    const answer = await ask()
    noteConnection('here')
    return answer
  } catch (error) {
    // A problem with a request id was answered by the server itself, which then is there.
    if (error instanceof ApiError) noteConnection(isSilence(error) ? 'away' : 'here')
    throw error
  }
}

/** No answer at all, or that of a proxy in front of a server that is gone. */
function isSilence(problem: ApiError): boolean {
  return problem.code === 'unavailable' && problem.extra['request_id'] === undefined
}
