import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { formatRef } from '../../contract/objects/ref.ts'
import { stringMember } from '../../core/json/navigate.ts'
import type { Handlers } from '../handler.ts'
import type { V1Handlers } from './v1-handlers.ts'
import { classKind, namedVersionView, publish, toObjectId, versionHandlers } from './versions.ts'

type Operation = 'dataset_create' | 'dataset_read' | 'dataset_list' | 'dataset_delete'

/** Handlers for datasets: objects of class `Dataset` whose rows are a table. */
export function datasetsHandlers(v1: V1Handlers): Pick<Handlers, Operation> {
  const versions = versionHandlers(v1, classKind('Dataset'), viewDataset)
  return {
    dataset_create: async ({ project_id, name, description, rows }, caller) => {
      const object_id = toObjectId(name, 'Dataset')
      const { digest } = await v1.table_create({ table: { project_id, rows } }, caller)
      const val = RawJson.fromValue({
        _type: 'Dataset',
        _class_name: 'Dataset',
        _bases: ['Object', 'BaseModel'],
        name: name ?? 'Dataset',
        description: description ?? null,
        rows: formatRef({ kind: 'table', project_id, id: digest, path: [] }),
      })
      return publish(v1, { project_id, object_id, val }, caller)
    },
    dataset_read: versions.read,
    dataset_list: versions.list,
    dataset_delete: versions.delete,
  }
}

function viewDataset(obj: ObjectVersion) {
  return {
    ...namedVersionView(obj),
    rows: stringMember(obj.val, 'rows') ?? '',
  }
}
