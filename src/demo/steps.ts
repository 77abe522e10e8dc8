import type { CallEnd, CallStart } from '../contract/calls/calls.ts'
import { RawJson } from '../contract/raw-json.ts'
import { formatTime, type Micros } from '../core/time/time.ts'

/** A step of a program, with nested steps. `traceCalls` converts a trace of steps to calls. */
export interface Step {
  /** The name of the op, without project and digest. */
  readonly op: string
  /** Set on steps that are referred to elsewhere: their ids are derived from it. */
  readonly key?: string
  readonly display_name?: string
  readonly inputs: object
  readonly output?: unknown
  readonly exception?: string
  readonly usage?: Usage
  /** Self time; the time of nested steps is added. */
  readonly ms: number
  readonly steps?: readonly Step[]
  readonly isRunning?: boolean
}

/** By model, as the provider reports it. */
type Usage = Readonly<Record<string, Readonly<Record<string, number>>>>

export interface Trace {
  /** Unique name, from which ids are derived. */
  readonly name: string
  readonly startedAt: Micros
  readonly attributes: object
  readonly thread_id?: string
  readonly root: Step
}

/** The key of the root step of a trace. */
export const ROOT = 'root'

export interface DemoCall {
  readonly start: CallStart
  /** Undefined while it runs. */
  readonly end: CallEnd | undefined
}

/** Ids and refs of the demo in a project. */
export interface DemoNames {
  readonly project_id: string
  readonly opRef: (name: string) => string
  readonly demoId: (...parts: readonly string[]) => string
}

interface Outcome {
  readonly endedAt: Micros
  /** Successful and failed calls, itself included. */
  readonly counts: { readonly success: number; readonly error: number }
  /** By model, descendants included, as SDKs report it. */
  readonly usage: Usage
}

interface CallPosition {
  readonly id: string
  readonly parent_id: string | null
}

/** Converts a trace to calls: parents before children, steps one after another. */
export function traceCalls(trace: Trace, names: DemoNames): DemoCall[] {
  const calls: DemoCall[] = []
  const { project_id } = names
  const turn_id = names.demoId(trace.name, ROOT)
  const thread = trace.thread_id === undefined ? {} : { thread_id: trace.thread_id, turn_id }

  const add = (step: Step, startedAt: Micros, { id, parent_id }: CallPosition): Outcome => {
    const start: CallStart = {
      project_id,
      id,
      trace_id: names.demoId(trace.name, 'trace'),
      parent_id,
      ...thread,
      op_name: names.opRef(step.op),
      display_name: step.display_name,
      started_at: formatTime(startedAt),
      attributes: RawJson.fromValue(trace.attributes),
      inputs: RawJson.fromValue(step.inputs),
    }
    const at = calls.push({ start, end: undefined }) - 1
    const steps = step.steps ?? []
    const pause = BigInt(Math.floor((step.ms * 1000) / (steps.length + 1)))
    let endedAt = startedAt + pause
    const counts = { success: 0, error: 0 }
    let usage = step.usage ?? {}
    for (const [n, inner] of steps.entries()) {
      const position = { id: names.demoId(trace.name, inner.key ?? `${id} ${n}`), parent_id: id }
      const outcome = add(inner, endedAt, position)
      endedAt = outcome.endedAt + pause
      counts.success += outcome.counts.success
      counts.error += outcome.counts.error
      usage = addUsage(usage, outcome.usage)
    }
    counts[step.exception === undefined ? 'success' : 'error']++
    if (step.isRunning !== true) calls[at] = { start, end: callEnd(start, step, { endedAt, counts, usage }) }
    return { endedAt, counts, usage }
  }
  add(trace.root, trace.startedAt, { id: names.demoId(trace.name, ROOT), parent_id: null })
  return calls
}

function callEnd({ project_id, id }: CallStart, step: Step, { endedAt, counts, usage }: Outcome): CallEnd {
  return {
    project_id,
    id: id ?? '',
    ended_at: formatTime(endedAt),
    exception: step.exception,
    output: RawJson.fromValue(step.output ?? null),
    summary: RawJson.fromValue({
      ...(Object.keys(usage).length === 0 ? {} : { usage }),
      status_counts: counts,
    }),
  }
}

function addUsage(a: Usage, b: Usage): Usage {
  const sum: Record<string, Record<string, number>> = {}
  for (const [model, counts] of [...Object.entries(a), ...Object.entries(b)]) {
    const totals = (sum[model] ??= {})
    for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count
  }
  return sum
}
