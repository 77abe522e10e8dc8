import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { formatRef } from '../../contract/objects/ref.ts'
import { textAt } from '../../core/json/navigate.ts'
import type { Handlers } from '../handler.ts'
import type { Classic } from './classic.ts'
import {
  classKind,
  deleteVersionsOf,
  listVersionsOf,
  namedViewOf,
  objectIdOf,
  publish,
  readVersionOf,
} from './versions.ts'

const DATASET = classKind('Dataset')

type Operation = 'dataset_create' | 'dataset_read' | 'dataset_list' | 'dataset_delete'

export function datasetsHandlers(classic: Classic): Pick<Handlers, Operation> {
  return {
    dataset_create: async ({ project_id, name, description, rows }, caller) => {
      const object_id = objectIdOf(name, 'Dataset')
      const { digest } = await classic.table_create({ table: { project_id, rows } }, caller)
      const val = RawJson.of({
        _type: 'Dataset',
        _class_name: 'Dataset',
        _bases: ['Object', 'BaseModel'],
        name: name ?? 'Dataset',
        description: description ?? null,
        rows: formatRef({ kind: 'table', project_id, id: digest, path: [] }),
      })
      return publish(classic, { project_id, object_id, val }, caller)
    },
    dataset_read: async (request, caller) => view(await readVersionOf(classic, DATASET, request, caller)),
    dataset_list: async (request, caller) => listVersionsOf(classic, DATASET, request, caller, view),
    dataset_delete: async (request, caller) => deleteVersionsOf(classic, DATASET, request, caller),
  }
}

function view(obj: ObjectVersion) {
  return {
    ...namedViewOf(obj),
    rows: textAt(obj.val, 'rows') ?? '',
  }
}
