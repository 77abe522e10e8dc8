import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { opValue } from '../../core/objects/op-value.ts'
import type { Caller } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import type { Classic } from './classic.ts'
import { NO_SOURCE, readSource, storeSource } from './source-code.ts'
import {
  deleteVersionsOf,
  listVersionsOf,
  objectIdOf,
  type ObjectKind,
  publish,
  readVersionOf,
  viewOf,
} from './versions.ts'

const OP: ObjectKind = { word: 'Op', filter: { is_op: true }, isOne: (version) => version.kind === 'op' }

type Operation = 'op_create' | 'op_read' | 'op_list' | 'op_delete'

export function opsHandlers(classic: Classic): Pick<Handlers, Operation> {
  const view = async (obj: ObjectVersion, caller: Caller) => ({
    ...viewOf(obj),
    code: await readSource(classic, obj.project_id, obj.val, caller),
  })
  return {
    op_create: async ({ project_id, name, source_code }, caller) => {
      const object_id = objectIdOf(name, 'Op')
      const files = await storeSource(classic, project_id, source_code || NO_SOURCE, caller)
      return publish(classic, { project_id, object_id, val: opValue(files) }, caller)
    },
    op_read: async (request, caller) => view(await readVersionOf(classic, OP, request, caller), caller),
    op_list: async (request, caller) =>
      listVersionsOf(classic, OP, request, caller, (obj) => view(obj, caller)),
    op_delete: async (request, caller) => deleteVersionsOf(classic, OP, request, caller),
  }
}
