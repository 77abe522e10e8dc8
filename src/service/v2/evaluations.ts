import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { find, items, numberValue, stringValue, stringMember } from '../../core/json/navigate.ts'
import { withMembers } from '../../core/json/object.ts'
import type { Handlers } from '../handler.ts'
import type { V1Handlers } from './v1-handlers.ts'
import { opWithoutSource } from './source-code.ts'
import { classKind, namedVersionView, objectRef, publish, toObjectId, versionHandlers } from './versions.ts'

const METHODS = ['evaluate', 'predict_and_score', 'summarize']
const NO_ATTRIBUTES = RawJson.fromText('{}')

type Operation = 'evaluation_create' | 'evaluation_read' | 'evaluation_list' | 'evaluation_delete'

/** Handlers for evaluations: objects of class `Evaluation`. */
export function evaluationsHandlers(v1: V1Handlers): Pick<Handlers, Operation> {
  const versions = versionHandlers(v1, classKind('Evaluation'), viewEvaluation)
  return {
    evaluation_create: async ({ project_id, ...request }, caller) => {
      const object_id = toObjectId(request.name, 'Evaluation')
      const op = async (name: string): Promise<string> =>
        opWithoutSource(v1, project_id, `${object_id}.${name}`, caller)
      const val = withMembers(request.eval_attributes ?? NO_ATTRIBUTES, [
        ['_type', 'Evaluation'],
        ['_class_name', 'Evaluation'],
        ['_bases', ['Object', 'BaseModel']],
        ['name', request.name],
        ['description', request.description ?? null],
        ['dataset', request.dataset],
        ['scorers', request.scorers ?? []],
        ['trials', request.trials ?? 1],
        ['evaluation_name', request.evaluation_name ?? null],
        ['metadata', null],
        ['preprocess_model_input', null],
        ...(await Promise.all(METHODS.map(async (name) => [name, await op(name)] as const))),
      ])
      const version = await publish(v1, { project_id, object_id, val }, caller)
      return { ...version, evaluation_ref: objectRef(project_id, version) }
    },
    evaluation_read: versions.read,
    evaluation_list: versions.list,
    evaluation_delete: versions.delete,
  }
}

function viewEvaluation(obj: ObjectVersion) {
  const { val } = obj
  const scorers = find(val, 'scorers')
  const trials = find(val, 'trials')
  return {
    ...namedVersionView(obj),
    dataset: stringMember(val, 'dataset') ?? '',
    scorers: scorers === undefined ? [] : items(scorers).flatMap((ref) => stringValue(ref) ?? []),
    trials: Math.trunc((trials === undefined ? undefined : numberValue(trials)) ?? 1),
    evaluation_name: stringMember(val, 'evaluation_name') ?? null,
    evaluate_op: stringMember(val, 'evaluate') ?? '',
    predict_and_score_op: stringMember(val, 'predict_and_score') ?? '',
    summarize_op: stringMember(val, 'summarize') ?? '',
  }
}
