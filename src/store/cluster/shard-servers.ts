import type { Database } from '../database/database.ts'
import { isCluster } from './cluster-database.ts'

/**
 * One server of each shard, the first replica that responds, for work that one server must do from beginning to end. On a
 * single server, the database itself.
 */
export async function chooseShardServers(db: Database): Promise<Database[]> {
  if (!isCluster(db)) return [db]
  let first = 0
  return Promise.all(
    db.cluster.topology.shards.map(async ({ number, replicas }) => {
      const servers = db.everyServer.slice(first, (first += replicas.length))
      for (const server of servers) if (await server.ping()) return server
      const urls = replicas.map(({ url }) => url).join(', ')
      throw new Error(`no server of shard ${number} responds (${urls}); start one of them and try again`)
    }),
  )
}
