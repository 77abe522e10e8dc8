import { useMutation, useQuery } from '@tanstack/react-query'
import { refreshQueries } from '../api/query-client.ts'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { api } from '../api/client.ts'

/** An API key or session of the signed-in user. */
export type ApiKey = BrowserResponse<'keys_list'>['keys'][number]

const KEYS_QUERY_KEY = ['keys']

/** The API keys and sessions of the signed-in user. */
export function useKeys() {
  return useQuery({
    queryKey: KEYS_QUERY_KEY,
    queryFn: ({ signal }) => api.call('keys_list', {}, signal),
  })
}

/** A change of the keys, after which they are read again. */
export function useKeysChange<Result, Variables = void>(change: (variables: Variables) => Promise<Result>) {
  return useMutation({
    mutationFn: change,
    onSuccess: () => refreshQueries(KEYS_QUERY_KEY),
  })
}
