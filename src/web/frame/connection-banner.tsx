import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { useConnectionStatus } from '../api/connection.ts'
import styles from './connection-banner.module.css'

/** Reports that the server is unreachable, and polls until it is back. Then all queries are refreshed. */
export function ConnectionBanner() {
  const isOffline = useConnectionStatus() === 'offline'
  useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => api.call('health', {}, signal),
    enabled: isOffline,
    refetchInterval: 1500,
    retry: false,
    gcTime: 0,
  })
  if (!isOffline) return null
  return (
    <div className={styles.banner} role="status">
      <span className={styles.dot} />
      The server is unreachable. Data may be out of date. This page reconnects automatically.
    </div>
  )
}
