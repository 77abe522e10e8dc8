import type { CallEnd, CallStart } from '../contract/calls/calls.ts'
import { RawJson } from '../contract/raw-json.ts'
import { formatTime, type Micros } from '../core/time/time.ts'

/** What a program does, step within step; it becomes calls once it is known when it began. */
export interface Step {
  /** The name of the op, without project and digest. */
  readonly op: string
  /** For steps that something else speaks of: their ids are made of it. */
  readonly key?: string
  readonly display_name?: string
  readonly inputs: object
  readonly output?: unknown
  readonly exception?: string
  readonly usage?: Usage
  /** Of its own work; the steps within come on top. */
  readonly ms: number
  readonly steps?: readonly Step[]
  readonly isRunning?: boolean
}

/** By model, as its provider tells it. */
type Usage = Readonly<Record<string, Readonly<Record<string, number>>>>

export interface Trace {
  /** Tells its ids from those of other traces. */
  readonly name: string
  readonly startedAt: Micros
  readonly attributes: object
  readonly thread_id?: string
  readonly root: Step
}

/** The key of the first step of a trace. */
export const ROOT = 'root'

export interface DemoCall {
  readonly start: CallStart
  /** Undefined while it runs. */
  readonly end: CallEnd | undefined
}

/** How things of a project are called. */
export interface Names {
  readonly project_id: string
  readonly opRef: (name: string) => string
  readonly idOf: (...parts: readonly string[]) => string
}

interface Outcome {
  readonly endedAt: Micros
  /** Calls in it that ended well, and badly; itself included. */
  readonly counts: { readonly success: number; readonly error: number }
  /** Of all models that were asked in it: SDKs add what is below a call to its own. */
  readonly usage: Usage
}

interface Place {
  readonly id: string
  readonly parent_id: string | null
}

/** The calls of a trace: parents before children, each step after the one before it. */
export function callsOf(trace: Trace, names: Names): DemoCall[] {
  const calls: DemoCall[] = []
  const { project_id } = names
  const turn_id = names.idOf(trace.name, ROOT)
  const thread = trace.thread_id === undefined ? {} : { thread_id: trace.thread_id, turn_id }

  const add = (step: Step, startedAt: Micros, { id, parent_id }: Place): Outcome => {
    const start: CallStart = {
      project_id,
      id,
      trace_id: names.idOf(trace.name, 'trace'),
      parent_id,
      ...thread,
      op_name: names.opRef(step.op),
      display_name: step.display_name,
      started_at: formatTime(startedAt),
      attributes: RawJson.of(trace.attributes),
      inputs: RawJson.of(step.inputs),
    }
    const at = calls.push({ start, end: undefined }) - 1
    const steps = step.steps ?? []
    const pause = BigInt(Math.floor((step.ms * 1000) / (steps.length + 1)))
    let endedAt = startedAt + pause
    const counts = { success: 0, error: 0 }
    let usage = step.usage ?? {}
    for (const [n, inner] of steps.entries()) {
      const place = { id: names.idOf(trace.name, inner.key ?? `${id} ${n}`), parent_id: id }
      const outcome = add(inner, endedAt, place)
      endedAt = outcome.endedAt + pause
      counts.success += outcome.counts.success
      counts.error += outcome.counts.error
      usage = addedUp(usage, outcome.usage)
    }
    counts[step.exception === undefined ? 'success' : 'error']++
    if (step.isRunning !== true) calls[at] = { start, end: endOf(start, step, { endedAt, counts, usage }) }
    return { endedAt, counts, usage }
  }
  add(trace.root, trace.startedAt, { id: names.idOf(trace.name, ROOT), parent_id: null })
  return calls
}

function endOf({ project_id, id }: CallStart, step: Step, { endedAt, counts, usage }: Outcome): CallEnd {
  return {
    project_id,
    id: id ?? '',
    ended_at: formatTime(endedAt),
    exception: step.exception,
    output: RawJson.of(step.output ?? null),
    summary: RawJson.of({
      ...(Object.keys(usage).length === 0 ? {} : { usage }),
      status_counts: counts,
    }),
  }
}

function addedUp(a: Usage, b: Usage): Usage {
  const sum: Record<string, Record<string, number>> = {}
  for (const [model, counts] of [...Object.entries(a), ...Object.entries(b)]) {
    const of = (sum[model] ??= {})
    for (const [name, count] of Object.entries(counts)) of[name] = (of[name] ?? 0) + count
  }
  return sum
}
