import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { formatRef } from '../../contract/objects/ref.ts'
import { textAt } from '../../core/json/navigate.ts'
import { opValue } from '../../core/objects/op-value.ts'
import type { Handlers } from '../handler.ts'
import type { Classic } from './classic.ts'
import { opWithoutSource, storeSource } from './source-code.ts'
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

const SCORER = classKind('Scorer')

type Operation = 'scorer_create' | 'scorer_read' | 'scorer_list' | 'scorer_delete'

export function scorersHandlers(classic: Classic): Pick<Handlers, Operation> {
  return {
    scorer_create: async ({ project_id, name, description, op_source_code }, caller) => {
      const object_id = objectIdOf(name, 'Scorer')
      const files = await storeSource(classic, project_id, op_source_code, caller)
      const score = { project_id, object_id: `${object_id}_score`, val: opValue(files) }
      const { digest } = await classic.obj_create({ obj: score }, caller)
      const val = RawJson.of({
        _type: 'Scorer',
        _class_name: 'Scorer',
        _bases: ['Object', 'BaseModel'],
        name,
        description: description ?? null,
        score: formatRef({ kind: 'op', project_id, name: score.object_id, digest, path: [] }),
        summarize: await opWithoutSource(classic, project_id, `${object_id}_summarize`, caller),
        column_map: null,
      })
      const version = await publish(classic, { project_id, object_id, val }, caller)
      return { ...version, scorer: objectRef(project_id, version) }
    },
    scorer_read: async (request, caller) => view(await readVersionOf(classic, SCORER, request, caller)),
    scorer_list: async (request, caller) => listVersionsOf(classic, SCORER, request, caller, view),
    scorer_delete: async (request, caller) => deleteVersionsOf(classic, SCORER, request, caller),
  }
}

function view(obj: ObjectVersion) {
  return {
    ...namedViewOf(obj),
    score_op: textAt(obj.val, 'score') ?? '',
  }
}
