import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { formatRef } from '../../contract/objects/ref.ts'
import { stringMember } from '../../core/json/navigate.ts'
import { opValue } from '../../core/objects/op-value.ts'
import type { Handlers } from '../handler.ts'
import type { V1Handlers } from './v1-handlers.ts'
import { opWithoutSource, storeSource } from './source-code.ts'
import { classKind, namedVersionView, objectRef, publish, toObjectId, versionHandlers } from './versions.ts'

type Operation = 'scorer_create' | 'scorer_read' | 'scorer_list' | 'scorer_delete'

/** Handlers for scorers: objects of class `Scorer` with their source code. */
export function scorersHandlers(v1: V1Handlers): Pick<Handlers, Operation> {
  const versions = versionHandlers(v1, classKind('Scorer'), viewScorer)
  return {
    scorer_create: async ({ project_id, name, description, op_source_code }, caller) => {
      const object_id = toObjectId(name, 'Scorer')
      const files = await storeSource(v1, project_id, op_source_code, caller)
      const score = { project_id, object_id: `${object_id}_score`, val: opValue(files) }
      const { digest } = await v1.obj_create({ obj: score }, caller)
      const val = RawJson.fromValue({
        _type: 'Scorer',
        _class_name: 'Scorer',
        _bases: ['Object', 'BaseModel'],
        name,
        description: description ?? null,
        score: formatRef({ kind: 'op', project_id, name: score.object_id, digest, path: [] }),
        summarize: await opWithoutSource(v1, project_id, `${object_id}_summarize`, caller),
        column_map: null,
      })
      const version = await publish(v1, { project_id, object_id, val }, caller)
      return { ...version, scorer: objectRef(project_id, version) }
    },
    scorer_read: versions.read,
    scorer_list: versions.list,
    scorer_delete: versions.delete,
  }
}

function viewScorer(obj: ObjectVersion) {
  return {
    ...namedVersionView(obj),
    score_op: stringMember(obj.val, 'score') ?? '',
  }
}
