import { useQuery } from '@tanstack/react-query'
import { refreshQueries } from '../api/query-client.ts'
import { refreshUnavailableShards, useUnavailableShards } from '../api/unavailable-shards.ts'
import styles from './connection-banner.module.css'

/** Reports that data of some shards is missing, and polls until they are back. Then all queries are refreshed. */
export function PartialBanner() {
  const shards = useUnavailableShards()
  useQuery({
    queryKey: ['unavailable shards'],
    queryFn: async ({ signal }) => {
      const isChanged = await refreshUnavailableShards(signal)
      // Not awaited: this query is one of them.
      if (isChanged) setTimeout(() => void refreshQueries(), 0)
      return isChanged
    },
    enabled: shards.length > 0,
    refetchInterval: 3000,
    retry: false,
    gcTime: 0,
  })
  if (shards.length === 0) return null
  return (
    <div className={styles.banner} role="status">
      <span className={styles.dot} />
      {`Some data is missing: ${describe(shards)} unavailable. This page is updated when ${shards.length === 1 ? 'it is' : 'they are'} back.`}
    </div>
  )
}

function describe(shards: readonly number[]): string {
  return shards.length === 1 ? `shard ${shards[0]} is` : `shards ${shards.join(' and ')} are`
}
