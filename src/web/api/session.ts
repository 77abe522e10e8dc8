import { queryOptions, useQuery } from '@tanstack/react-query'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { forgetDrafts } from '../ui/draft-text.ts'
import { api } from './client.ts'
import { queryClient, refreshQueries } from './query-client.ts'

/** The session of the signed-in user. */
export type Session = BrowserResponse<'session_read'>

const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => api.call('session_read', {}, signal),
  staleTime: 300_000,
})

export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data
}

export interface Credentials {
  readonly username?: string
  readonly password?: string
  readonly api_key?: string
  readonly code?: string
}

export async function signIn(credentials: Credentials): Promise<void> {
  await api.call('session_create', credentials)
  await refreshQueries()
}

export async function signOut(): Promise<void> {
  await api.call('session_delete', {})
  // Removes all cached data of this user.
  queryClient.clear()
  forgetDrafts()
}
