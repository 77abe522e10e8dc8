import { QueryCache, QueryClient } from '@tanstack/react-query'
import { isPassing, ApiError } from '../../client/browser/api-error.ts'
import { connectionNow, onConnection } from './connection.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 4000

/** Told when a request needs somebody to sign in; routes.tsx leads there. */
export const signInNeeded: { tell: () => void } = { tell: () => undefined }

/**
 * Reads are asked again for as long as they may succeed, so that a page comes back by itself after the server has been
 * away. What the caller can mend is told at once.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'unauthenticated') signInNeeded.tell()
    },
  }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => isPassing(error) && (isSilent(error) || failures < 3),
      retryDelay: (failures) => Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS),
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // Whether the browser believes to be online says nothing about a server on this machine.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

function isSilent(error: ApiError): boolean {
  return error.code === 'unavailable'
}

// What is shown may have changed while nobody could ask.
let wasAway = false
onConnection(() => {
  if (connectionNow() === 'away') wasAway = true
  else if (wasAway) {
    wasAway = false
    void queryClient.invalidateQueries()
  }
})
