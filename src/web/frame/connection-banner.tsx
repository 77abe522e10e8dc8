import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { useConnection } from '../api/connection.ts'
import styles from './connection-banner.module.css'

/** Says that the server is away, and keeps asking until it is back. Then every page reads anew what it shows. */
export function ConnectionBanner() {
  const isAway = useConnection() === 'away'
  useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => api.call('health', {}, signal),
    enabled: isAway,
    refetchInterval: 1500,
    retry: false,
    gcTime: 0,
  })
  if (!isAway) return null
  return (
    <div className={styles.banner} role="status">
      <span className={styles.dot} />
      The server does not answer. What you see may be out of date; this page goes on as soon as it is back.
    </div>
  )
}
