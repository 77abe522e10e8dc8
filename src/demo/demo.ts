import type { FeedbackCreate } from '../contract/feedback/feedback.ts'
import type { RawJson } from '../contract/raw-json.ts'
import type { Micros } from '../core/time/time.ts'
import { AGENT, agentTrace } from './agent.ts'
import { INSTRUCTIONS, makeCatalog, type PublishedObject } from './catalog.ts'
import { chatTraces } from './chats.ts'
import { evaluationRun } from './evaluation.ts'
import { Random } from './random.ts'
import { remarks } from './remarks.ts'
import { callsOf, type DemoCall, ROOT, type Trace } from './steps.ts'

/**
 * A project to look around in: the assistant of a shop for looms and yarn. Made of nothing but the project's name and a
 * time, so that the same demo has the same ids.
 */
export interface Demo {
  readonly files: readonly string[]
  readonly rows: readonly RawJson[]
  readonly objects: readonly PublishedObject[]
  readonly calls: readonly DemoCall[]
  readonly feedback: readonly FeedbackCreate[]
}

const SEED = 1801

const MINUTE: Micros = 60_000_000n
const HOUR: Micros = 60n * MINUTE

/** How long ago the agent began. */
const AGENT_AGO = 25n * MINUTE

/** The call to look at first. */
export function agentCallId(project_id: string): string {
  return makeCatalog(project_id).idOf(AGENT, ROOT)
}

/** The time that a demo was made for, by the start of its agent. */
export function timeOfDemo(agentStartedAt: Micros): Micros {
  return agentStartedAt + AGENT_AGO
}

export function makeDemo(project_id: string, now: Micros): Demo {
  const catalog = makeCatalog(project_id)
  const random = new Random(SEED)
  const runs = [
    evaluationRun(0, now - 50n * HOUR, catalog, random),
    evaluationRun(1, now - 26n * HOUR, catalog, random),
  ]
  const traces = [
    ...chatTraces(now, random, INSTRUCTIONS),
    ...runs.map(({ trace }) => trace),
    agentTrace(now - AGENT_AGO, INSTRUCTIONS),
    report(now - 3n * MINUTE),
  ]
  const calls = traces.flatMap((trace) => callsOf(trace, catalog))
  const feedback = remarks(catalog, runs)
  // What was published is known once everything has been referred to.
  const { objects, files, rows } = catalog
  return { files: [...files], rows, objects, calls, feedback }
}

/** Something that still runs. */
function report(startedAt: Micros): Trace {
  const root = { op: 'weekly_report', key: ROOT, inputs: { week: 46 }, ms: 0, isRunning: true }
  return { name: 'report', startedAt, attributes: { env: 'production', release: '2.3.0' }, root }
}
