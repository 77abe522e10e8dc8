import type { FeedbackCreate } from '../contract/feedback/feedback.ts'
import type { RawJson } from '../contract/raw-json.ts'
import type { Micros } from '../core/time/time.ts'
import { AGENT, agentTrace } from './agent.ts'
import { INSTRUCTIONS, makeCatalog, type PublishedObject } from './catalog.ts'
import { chatTraces } from './chats.ts'
import { evaluationRun } from './evaluation.ts'
import { Random } from './random.ts'
import { demoFeedback } from './demo-feedback.ts'
import { traceCalls, type DemoCall, ROOT, type Trace } from './steps.ts'

/**
 * Demo data: the support assistant of a shop for looms and yarn. Derived from the project id and a time only, so
 * that the same demo has the same ids.
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

/** Age of the agent trace. */
const AGENT_AGE = 25n * MINUTE

/** The root call of the agent trace. */
export function agentCallId(project_id: string): string {
  return makeCatalog(project_id).demoId(AGENT, ROOT)
}

/** The time that a demo was created for, from the start of its agent trace. */
export function demoTime(agentStartedAt: Micros): Micros {
  return agentStartedAt + AGENT_AGE
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
    agentTrace(now - AGENT_AGE, INSTRUCTIONS),
    reportTrace(now - 3n * MINUTE),
  ]
  const calls = traces.flatMap((trace) => traceCalls(trace, catalog))
  const feedback = demoFeedback(catalog, runs)
  // Building the calls publishes the objects they refer to, so these are read last.
  const { objects, files, rows } = catalog
  return { files: [...files], rows, objects, calls, feedback }
}

/** A trace that is still running. */
function reportTrace(startedAt: Micros): Trace {
  const root = { op: 'weekly_report', key: ROOT, inputs: { week: 46 }, ms: 0, isRunning: true }
  return { name: 'report', startedAt, attributes: { env: 'production', release: '2.3.0' }, root }
}
