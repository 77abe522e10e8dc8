import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import { isCluster } from '../store/cluster/cluster-database.ts'
import type { Database } from '../store/database/database.ts'

/** Pings the shards of a cluster until the database is closed, logs each change, and exports a metric. */
export function watchShards(db: Database, log: Logger, registry: Registry): void {
  if (!isCluster(db)) return
  const { health } = db.cluster
  void new Gauge({
    name: 'heddle_shard_up',
    help: 'Whether a shard of the cluster responds (1) or not (0).',
    labelNames: ['shard'],
    registers: [registry],
    // The worst view counts: a worker that cannot reach a shard sends partial results.
    aggregator: 'min',
    collect() {
      for (const index of health.indexes) this.set({ shard: String(index + 1) }, health.isUp(index) ? 1 : 0)
    },
  })
  health.onChange(({ shard, isUp }) => {
    if (isUp) log.info({ shard }, 'the shard responds again')
    else
      log.warn(
        { shard },
        'the shard does not respond: its calls are neither stored nor read, and lists are partial',
      )
  })
  health.start()
}
