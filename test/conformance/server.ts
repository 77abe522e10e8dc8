import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startClusterNodes } from '../cluster-nodes.ts'
import { PATIENT_READS, startServerProcess } from '../server-process.ts'
import type { Target } from './api.ts'

/**
 * Starts `heddle serve` with a temporary data directory, or two nodes on a cluster of ClickHouse. `stop` ends it and deletes
 * the directory.
 */
export async function startHeddleServer(
  isCluster: boolean,
): Promise<{ target: Target; stop: () => Promise<void> }> {
  const data = mkdtempSync(join(tmpdir(), 'heddle-conformance-'))
  const password = 'a password of this run'
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const server = isCluster
    ? await startClusterNodes({ directory: data, adminPassword: password, environment: PATIENT_READS })
    : await startServerProcess({ data, adminPassword: password, environment: PATIENT_READS })
  const urls = 'nodes' in server ? server.nodes.map(({ url }) => url) : [server.url]
  const stop = async (): Promise<void> => {
    await server.stop()
    rmSync(data, { recursive: true, force: true })
  }
  const project_id = 'admin/conformance'
  return {
    target: { urls, user: 'admin', password, project_id, scheme: 'weave', isHeddle: true },
    stop,
  }
}
