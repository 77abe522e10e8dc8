import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { useSession } from '../api/session.ts'

/** A claim expires after three minutes. */
const RENEW_INTERVAL_MS = 60_000

interface Claim {
  /** Another user who holds the item. */
  readonly heldBy: string | undefined
  readonly heldUntil: string | undefined
  /** Call this before the item's state is stored: the claim is then not released on leaving. */
  readonly markCompleted: () => void
}

/** Claims a queue item while the page shows it, and releases it when the page moves on. */
export function useClaim(project: Project, queue_id: string, call_id: string | undefined): Claim {
  const me = useSession()?.user_id
  const { project_id } = project
  const claim = useQuery({
    queryKey: ['claim', project_id, queue_id, call_id],
    queryFn: ({ signal }) =>
      api.call('queue_item_claim', { ...projectParams(project), queue_id, call_id: call_id ?? '' }, signal),
    enabled: call_id !== undefined,
    refetchInterval: RENEW_INTERVAL_MS,
    // A page in the background keeps its claim.
    refetchIntervalInBackground: true,
    refetchOnMount: 'always',
    staleTime: 0,
    gcTime: 0,
  })
  const isCompleted = useRef(false)
  useEffect(() => {
    isCompleted.current = false
    if (call_id === undefined) return
    const release = (): void => {
      // Releasing an item while its state is being stored would offer it to another reviewer as open.
      if (isCompleted.current) return
      // A failed request is ignored: the claim expires anyway.
      api.call('queue_item_release', { ...projectParams(project), queue_id, call_id }).catch(() => undefined)
    }
    window.addEventListener('pagehide', release)
    return () => {
      window.removeEventListener('pagehide', release)
      release()
    }
  }, [project_id, queue_id, call_id])
  const holder = claim.data?.held_by ?? undefined
  const isHeldByOther = holder !== undefined && me !== undefined && holder !== me
  return {
    heldBy: isHeldByOther ? holder : undefined,
    heldUntil: isHeldByOther ? (claim.data?.held_until ?? undefined) : undefined,
    markCompleted: () => {
      isCompleted.current = true
    },
  }
}
