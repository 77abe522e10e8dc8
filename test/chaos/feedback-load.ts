import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from './calls-load.ts'
import { canaryOf, PROJECTS } from './records.ts'

/** The highest version of a feedback record that was sent, and the highest that was acknowledged; -1 = none. */
export interface KnownFeedback {
  sent: number
  acked: number
}

const MAX_VERSIONS = 4
const PAUSE_MS = 150

/** Creates feedback records and replaces each a few times, sequentially. */
export async function writeFeedback(load: Load, known: KnownFeedback[], signal: AbortSignal): Promise<void> {
  const { client, history, random } = load
  while (!signal.aborted) {
    const f = known.push({ sent: -1, acked: -1 }) - 1
    const versions = random.between(1, MAX_VERSIONS)
    for (let version = 0; version < versions; version++) {
      known[f]!.sent = version
      const [path, key] = version === 0 ? ['/feedback/create', 'id'] : ['/feedback/replace', 'feedback_id']
      const project_id = PROJECTS[projectOfFeedback(f)]
      const body = `{"project_id":"${project_id}","${key}":"${feedbackId(f)}","weave_ref":"weave:///${project_id}/call/x","feedback_type":"chaos","payload":${feedbackPayload(f, version)}}`
      if (!(await client.deliver(path, body))) break
      known[f]!.acked = version
      history.acked++
    }
    await sleep(PAUSE_MS)
  }
}

export function projectOfFeedback(f: number): number {
  return f % PROJECTS.length
}

/** The id contains the number. */
export function feedbackId(f: number): string {
  return `00000000-0000-7000-8000-${f.toString(16).padStart(12, '0')}`
}

export function feedbackPayload(f: number, version: number): string {
  return `{"f": ${f},"version":${version}.0,"canary":"${canaryOf(projectOfFeedback(f))}"}`
}
