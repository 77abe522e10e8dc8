import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { useSession } from '../api/session.ts'

/** A claim lasts for three minutes; it is renewed long before that. */
const RENEW_MS = 60_000

interface Claim {
  /** Somebody else who has the item open. */
  readonly heldBy: string | undefined
  readonly heldUntil: string | undefined
  /** The item is settled, or is about to be: there is nothing to let go of. */
  readonly settle: () => void
}

/** Keeps an item from others for as long as the page shows it, and lets go of it when the page goes on. */
export function useClaim(project: Project, queue_id: string, call_id: string | undefined): Claim {
  const me = useSession()?.user_id
  const { project_id } = project
  const claim = useQuery({
    queryKey: ['claim', project_id, queue_id, call_id],
    queryFn: ({ signal }) =>
      api.call('queue_item_claim', { ...inPath(project), queue_id, call_id: call_id ?? '' }, signal),
    enabled: call_id !== undefined,
    refetchInterval: RENEW_MS,
    // A page that nobody looks at for a while still has it open.
    refetchIntervalInBackground: true,
    refetchOnMount: 'always',
    staleTime: 0,
    gcTime: 0,
  })
  const isSettled = useRef(false)
  useEffect(() => {
    isSettled.current = false
    if (call_id === undefined) return
    const release = (): void => {
      // To let go while it is being settled would hand it to somebody else as open.
      if (isSettled.current) return
      // It ends by itself too, where the network was lost or the laptop closed.
      api.call('queue_item_release', { ...inPath(project), queue_id, call_id }).catch(() => undefined)
    }
    window.addEventListener('pagehide', release)
    return () => {
      window.removeEventListener('pagehide', release)
      release()
    }
  }, [project_id, queue_id, call_id])
  const holder = claim.data?.held_by ?? undefined
  const isOthers = holder !== undefined && me !== undefined && holder !== me
  return {
    heldBy: isOthers ? holder : undefined,
    heldUntil: isOthers ? (claim.data?.held_until ?? undefined) : undefined,
    settle: () => {
      isSettled.current = true
    },
  }
}
