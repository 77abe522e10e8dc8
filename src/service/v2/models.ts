import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { entries } from '../../core/json/navigate.ts'
import { buildObject, withMembers } from '../../core/json/object.ts'
import type { Caller } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import type { V1Handlers } from './v1-handlers.ts'
import { readSource, storeSource } from './source-code.ts'
import { classKind, namedVersionView, objectRef, publish, toObjectId, versionHandlers } from './versions.ts'

/** Handlers for models: objects of class `Model` with their source code. */

const NO_ATTRIBUTES = RawJson.fromText('{}')
/** Members of a model's value that are not its attributes. */
const NON_ATTRIBUTES = new Set(['_type', '_class_name', '_bases', 'name', 'description', 'files'])

type Operation = 'model_create' | 'model_read' | 'model_list' | 'model_delete'

export function modelsHandlers(v1: V1Handlers): Pick<Handlers, Operation> {
  const viewModel = async (obj: ObjectVersion, caller: Caller) => {
    const attributes = entries(obj.val).filter(([key]) => !NON_ATTRIBUTES.has(key))
    return {
      ...namedVersionView(obj),
      source_code: await readSource(v1, obj.project_id, obj.val, caller),
      attributes: attributes.length === 0 ? null : buildObject(attributes),
    }
  }
  const versions = versionHandlers(v1, classKind('Model'), viewModel)
  return {
    model_create: async ({ project_id, name, description, source_code, attributes }, caller) => {
      const object_id = toObjectId(name, 'Model')
      // The fixed members are written last, so that an attribute of the same name cannot change the class.
      const val = withMembers(attributes ?? NO_ATTRIBUTES, [
        ['_type', 'Model'],
        ['_class_name', 'Model'],
        ['_bases', ['Object', 'BaseModel']],
        ['name', name],
        ['description', description ?? null],
        ['files', await storeSource(v1, project_id, source_code, caller)],
      ])
      const version = await publish(v1, { project_id, object_id, val }, caller)
      return { ...version, model_ref: objectRef(project_id, version) }
    },
    model_read: versions.read,
    model_list: versions.list,
    model_delete: versions.delete,
  }
}
