import type { RequestOf } from '../../contract/operations.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { agentCallId, type Demo, makeDemo, demoTime } from '../../demo/demo.ts'
import { parseTime } from '../../core/time/time.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** Handler for the demo project: publishes sample objects and records sample calls and feedback. */

/** The operations that write the demo project. They are the ones SDKs use. */
type WriteHandlers = Pick<
  Handlers,
  'file_create' | 'table_create' | 'obj_create' | 'call_read' | 'call_upsert_batch' | 'feedback_create_batch'
>

type Batch = RequestOf<'call_upsert_batch'>['batch']

export function demoHandlers(deps: Deps, handlers: WriteHandlers): Pick<Handlers, 'project_demo'> {
  return {
    project_demo: async ({ project_id }, caller) => {
      const call_id = agentCallId(project_id)
      const { call } = await handlers.call_read({ project_id, id: call_id }, caller)
      const existingStart = call === null ? undefined : parseTime(call.started_at)
      const demo = makeDemo(project_id, existingStart === undefined ? deps.now() : demoTime(existingStart))
      if (existingStart === undefined) await publish(handlers, project_id, demo, caller)
      // Resending the same ids and times changes nothing, and it completes a demo that was interrupted.
      await record(handlers, demo, caller)
      return {
        is_new: existingStart === undefined,
        calls: demo.calls.length,
        objects: demo.objects.length,
        feedback: demo.feedback.length,
        call_id,
      }
    },
  }
}

async function publish(
  handlers: WriteHandlers,
  project_id: string,
  demo: Demo,
  caller: Caller,
): Promise<void> {
  await Promise.all(
    demo.files.map((source) => handlers.file_create({ project_id, file: Buffer.from(source) }, caller)),
  )
  await handlers.table_create({ table: { project_id, rows: [...demo.rows] } }, caller)
  await Promise.all(
    [...versionsByName(demo)].map(async ([object_id, versions]) => {
      for (const val of versions) await handlers.obj_create({ obj: { project_id, object_id, val } }, caller)
    }),
  )
}

/** Versions of one object are published in sequence, so that the last one becomes the latest. */
function versionsByName({ objects }: Demo): Map<string, RawJson[]> {
  const names = new Map<string, RawJson[]>()
  for (const { object_id, val } of objects) names.set(object_id, [...(names.get(object_id) ?? []), val])
  return names
}

async function record(handlers: WriteHandlers, { calls, feedback }: Demo, caller: Caller): Promise<void> {
  const batch = calls.flatMap(({ start, end }): Batch => [
    { mode: 'start', req: { start } },
    ...(end === undefined ? [] : [{ mode: 'end' as const, req: { end } }]),
  ])
  await handlers.call_upsert_batch({ batch }, caller)
  await handlers.feedback_create_batch({ batch: [...feedback] }, caller)
}
