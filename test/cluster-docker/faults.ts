import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../chaos/random.ts'
import type { Compose } from './compose.ts'

/** Breaks one container and repairs it. */
interface ContainerFault {
  readonly name: string
  readonly begin: (compose: Compose, service: string) => Promise<unknown>
  readonly end: (compose: Compose, service: string) => Promise<unknown>
}

const FAULTS: readonly ContainerFault[] = [
  {
    name: 'kill -9',
    begin: (compose, service) => compose.kill(service),
    end: (compose, service) => compose.start(service),
  },
  {
    name: 'pause',
    begin: (compose, service) => compose.pause(service),
    end: (compose, service) => compose.unpause(service),
  },
  {
    name: 'network cut',
    begin: (compose, service) => compose.disconnect(service),
    end: (compose, service) => compose.connect(service),
  },
]
/** Docker forgets the published port of a container that is connected again, so nodes are not cut off. */
const NODE_FAULTS = FAULTS.slice(0, 2)

export interface ContainerFaultOptions {
  readonly compose: Compose
  readonly random: Random
  readonly maxOutageMs: number
  /** Of ClickHouse, Keepers and nodes. */
  readonly services: readonly string[]
}

/** Breaks one container at a time: of three Keepers and of the replicas of a shard, the majority works. */
export async function injectUntil(
  signal: AbortSignal,
  options: ContainerFaultOptions,
): Promise<Map<string, number>> {
  const { compose, random, services, maxOutageMs } = options
  const counts = new Map<string, number>()
  while (!signal.aborted) {
    const service = random.pick(services)
    const fault = random.pick(service.startsWith('heddle') ? NODE_FAULTS : FAULTS)
    const label = `${fault.name} of ${service.replace(/-.*/, '')}`
    counts.set(label, (counts.get(label) ?? 0) + 1)
    console.log(`fault: ${fault.name} of ${service}`)
    await fault.begin(compose, service)
    await sleep(random.next() * maxOutageMs)
    await fault.end(compose, service)
    // Until the replica has what it missed: the next fault may hit another one.
    await sleep(random.between(3_000, 8_000))
  }
  return counts
}
