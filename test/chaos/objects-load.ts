import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from './calls-load.ts'
import { canaryOf, PROJECTS } from './records.ts'

/** Per sent version of an object: whether it was acknowledged. */
export type KnownObject = boolean[]

const MAX_VERSIONS = 6
const CONCURRENT_WRITES = 2
const PAUSE_MS = 200

/** Publishes versions of objects, two concurrently, each to a random node. */
export async function writeObjects(load: Load, known: KnownObject[], signal: AbortSignal): Promise<void> {
  const { client, history, random } = load
  while (!signal.aborted) {
    const o = known.push([]) - 1
    const versions = known[o]!
    const publish = async (): Promise<void> => {
      const version = versions.push(false) - 1
      const body = `{"obj":{"project_id":"${PROJECTS[projectOfObject(o)]}","object_id":"${objectId(o)}","val":${objectValue(o, version)}}}`
      if (!(await client.deliver('/obj/create', body))) return
      versions[version] = true
      history.acked++
    }
    const rounds = random.between(1, MAX_VERSIONS / CONCURRENT_WRITES)
    for (let round = 0; round < rounds; round++)
      await Promise.all(Array.from({ length: CONCURRENT_WRITES }, publish))
    await sleep(PAUSE_MS)
  }
}

export function projectOfObject(o: number): number {
  return o % PROJECTS.length
}

export function objectId(o: number): string {
  return `object-${o}`
}

export function objectValue(o: number, version: number): string {
  return `{"o": ${o},"version":${version}.0,"canary":"${canaryOf(projectOfObject(o))}"}`
}
