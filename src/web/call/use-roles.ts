import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Message } from './message.ts'

/**
 * The roles of messages. In messages of a published prompt the SDK replaces them by refs to the prompt, whose values are
 * read here. A role that is not known yet is empty.
 */
export function useRoles(messages: readonly Message[]): (role: string) => string {
  const refs = [...new Set(messages.map(({ role }) => role).filter(isRef))]
  const values = useQuery({
    queryKey: ['refs', refs],
    queryFn: async ({ signal }) => {
      const { vals } = await api.call('refs_read_batch', { refs }, signal)
      return new Map(refs.map((ref, i) => [ref, roleOf(vals[i]?.text)]))
    },
    enabled: refs.length > 0,
    staleTime: Infinity,
  })
  return (role) => (isRef(role) ? (values.data?.get(role) ?? '') : role)
}

function isRef(role: string): boolean {
  return role.startsWith('weave:///')
}

function roleOf(json: string | undefined): string {
  const value: unknown = JSON.parse(json ?? 'null')
  return typeof value === 'string' ? value : ''
}
