import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { opValue } from '../../core/objects/op-value.ts'
import type { Caller } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import type { V1Handlers } from './v1-handlers.ts'
import { NO_SOURCE, readSource, storeSource } from './source-code.ts'
import { type ObjectKind, publish, toObjectId, versionHandlers, versionView } from './versions.ts'

const OP: ObjectKind = { label: 'Op', filter: { is_op: true }, matches: (version) => version.kind === 'op' }

type Operation = 'op_create' | 'op_read' | 'op_list' | 'op_delete'

/** Handlers for ops: objects with source code. */
export function opsHandlers(v1: V1Handlers): Pick<Handlers, Operation> {
  const viewOp = async (obj: ObjectVersion, caller: Caller) => ({
    ...versionView(obj),
    code: await readSource(v1, obj.project_id, obj.val, caller),
  })
  const versions = versionHandlers(v1, OP, viewOp)
  return {
    op_create: async ({ project_id, name, source_code }, caller) => {
      const object_id = toObjectId(name, 'Op')
      const files = await storeSource(v1, project_id, source_code || NO_SOURCE, caller)
      return publish(v1, { project_id, object_id, val: opValue(files) }, caller)
    },
    op_read: versions.read,
    op_list: versions.list,
    op_delete: versions.delete,
  }
}
