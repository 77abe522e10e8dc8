import type { Cluster } from './cluster.ts'

/** Restarts the nodes one after the other, as a rolling deployment does. */
export async function restartNodes(cluster: Cluster): Promise<void> {
  for (const node of cluster.nodes) {
    await cluster.stopNode(node)
    await cluster.startNode(node)
  }
}

/** The steps of docs/deploy/cluster.md: first every node knows the shard, then each stores new calls there. */
export async function addShard(cluster: Cluster): Promise<void> {
  console.log('adding a shard: joining')
  await cluster.addShard()
  await restartNodes(cluster)
  cluster.finishJoining()
  await restartNodes(cluster)
  console.log('adding a shard: done')
}
