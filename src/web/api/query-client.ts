import { QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { backoffMs } from '../../client/backoff.ts'
import { isRetryable, ApiError } from '../../client/browser/api-error.ts'
import { connectionStatus, subscribeConnection } from './connection.ts'
import { shardsOf } from './unavailable-shards.ts'

const BACKOFF = { firstMs: 500, maxMs: 4000 }

/** Called when a request is unauthenticated. router.ts sets it to open the sign-in page. */
export const authRequired: { notify: () => void } = { notify: () => undefined }

/**
 * The query client. Retryable reads are retried three times, and without limit while the server is unreachable, so that a
 * page recovers without a reload after an outage. All other errors are shown immediately.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'unauthenticated') authRequired.notify()
    },
  }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => isRetryable(error) && (isUnreachable(error) || failures < 3),
      retryDelay: (failures) => backoffMs(failures, BACKOFF),
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // The browser's online state says nothing about a server on the same machine.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/**
 * Reads queries again after a change: all, or those below a key. A first read that is still in flight may have begun before
 * the change, so it is cancelled: `invalidateQueries` alone would wait for it and take its result as the newest.
 */
export async function refreshQueries(queryKey?: QueryKey): Promise<void> {
  const filters = queryKey === undefined ? {} : { queryKey }
  await queryClient.cancelQueries(filters)
  await queryClient.invalidateQueries(filters)
}

/** Not if a shard of a cluster is: the other data of the page should be shown, and an error instead of this. */
function isUnreachable(error: ApiError): boolean {
  return error.code === 'unavailable' && shardsOf(error.extra).length === 0
}

// After an outage all data may be stale.
let wasOffline = false
subscribeConnection(() => {
  if (connectionStatus() === 'offline') wasOffline = true
  else if (wasOffline) {
    wasOffline = false
    void queryClient.invalidateQueries()
  }
})
