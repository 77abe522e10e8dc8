import type { RequestOf } from '../contract/operations.ts'
import type { RawJson } from '../contract/raw-json.ts'
import { agentCallId, type Demo, makeDemo, timeOfDemo } from '../demo/demo.ts'
import { parseTime } from '../core/time/time.ts'
import type { Caller, Deps } from './deps.ts'
import type { Handlers } from './handler.ts'

/** What the demo is written with: the operations that SDKs use. */
type Writes = Pick<
  Handlers,
  'file_create' | 'table_create' | 'obj_create' | 'call_read' | 'call_upsert_batch' | 'feedback_create_batch'
>

type Batch = RequestOf<'call_upsert_batch'>['batch']

export function demoHandlers(deps: Deps, writes: Writes): Pick<Handlers, 'project_demo'> {
  return {
    project_demo: async ({ project_id }, caller) => {
      const call_id = agentCallId(project_id)
      const { call } = await writes.call_read({ project_id, id: call_id }, caller)
      const before = call === null ? undefined : parseTime(call.started_at)
      const demo = makeDemo(project_id, before === undefined ? deps.now() : timeOfDemo(before))
      if (before === undefined) await publish(writes, project_id, demo, caller)
      // Sent again with the same ids and times it changes nothing, and completes what was cut off.
      await record(writes, demo, caller)
      return {
        is_new: before === undefined,
        calls: demo.calls.length,
        objects: demo.objects.length,
        feedback: demo.feedback.length,
        call_id,
      }
    },
  }
}

async function publish(writes: Writes, project_id: string, demo: Demo, caller: Caller): Promise<void> {
  await Promise.all(
    demo.files.map((source) => writes.file_create({ project_id, file: Buffer.from(source) }, caller)),
  )
  await writes.table_create({ table: { project_id, rows: [...demo.rows] } }, caller)
  await Promise.all(
    [...versionsByName(demo)].map(async ([object_id, versions]) => {
      for (const val of versions) await writes.obj_create({ obj: { project_id, object_id, val } }, caller)
    }),
  )
}

/** Those of one name are published one after the other: the last one is the latest. */
function versionsByName({ objects }: Demo): Map<string, RawJson[]> {
  const names = new Map<string, RawJson[]>()
  for (const { object_id, val } of objects) names.set(object_id, [...(names.get(object_id) ?? []), val])
  return names
}

async function record(writes: Writes, { calls, feedback }: Demo, caller: Caller): Promise<void> {
  const batch = calls.flatMap(({ start, end }): Batch => [
    { mode: 'start', req: { start } },
    ...(end === undefined ? [] : [{ mode: 'end' as const, req: { end } }]),
  ])
  await writes.call_upsert_batch({ batch }, caller)
  await writes.feedback_create_batch({ batch: [...feedback] }, caller)
}
