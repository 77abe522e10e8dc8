import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { entries } from '../../core/json/navigate.ts'
import { objectOf, withMembers } from '../../core/json/object.ts'
import type { Caller } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import type { Classic } from './classic.ts'
import { readSource, storeSource } from './source-code.ts'
import {
  classKind,
  deleteVersionsOf,
  listVersionsOf,
  namedViewOf,
  objectIdOf,
  objectRef,
  publish,
  readVersionOf,
} from './versions.ts'

const MODEL = classKind('Model')
const NO_ATTRIBUTES = RawJson.fromText('{}')
/** What is no attribute of a model's own. */
const FIXED = new Set(['_type', '_class_name', '_bases', 'name', 'description', 'files'])

type Operation = 'model_create' | 'model_read' | 'model_list' | 'model_delete'

export function modelsHandlers(classic: Classic): Pick<Handlers, Operation> {
  const view = async (obj: ObjectVersion, caller: Caller) => {
    const attributes = entries(obj.val).filter(([key]) => !FIXED.has(key))
    return {
      ...namedViewOf(obj),
      source_code: await readSource(classic, obj.project_id, obj.val, caller),
      attributes: attributes.length === 0 ? null : objectOf(attributes),
    }
  }
  return {
    model_create: async ({ project_id, name, description, source_code, attributes }, caller) => {
      const object_id = objectIdOf(name, 'Model')
      // An attribute of the same name as one of these must not make it something else than a model.
      const val = withMembers(attributes ?? NO_ATTRIBUTES, [
        ['_type', 'Model'],
        ['_class_name', 'Model'],
        ['_bases', ['Object', 'BaseModel']],
        ['name', name],
        ['description', description ?? null],
        ['files', await storeSource(classic, project_id, source_code, caller)],
      ])
      const version = await publish(classic, { project_id, object_id, val }, caller)
      return { ...version, model_ref: objectRef(project_id, version) }
    },
    model_read: async (request, caller) => view(await readVersionOf(classic, MODEL, request, caller), caller),
    model_list: async (request, caller) =>
      listVersionsOf(classic, MODEL, request, caller, (obj) => view(obj, caller)),
    model_delete: async (request, caller) => deleteVersionsOf(classic, MODEL, request, caller),
  }
}
