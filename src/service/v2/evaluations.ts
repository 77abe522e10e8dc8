import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { find, items, numberOf, stringOf, textAt } from '../../core/json/navigate.ts'
import { withMembers } from '../../core/json/object.ts'
import type { Handlers } from '../handler.ts'
import type { Classic } from './classic.ts'
import { opWithoutSource } from './source-code.ts'
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

const EVALUATION = classKind('Evaluation')
const METHODS = ['evaluate', 'predict_and_score', 'summarize']
const NO_ATTRIBUTES = RawJson.fromText('{}')

type Operation = 'evaluation_create' | 'evaluation_read' | 'evaluation_list' | 'evaluation_delete'

export function evaluationsHandlers(classic: Classic): Pick<Handlers, Operation> {
  return {
    evaluation_create: async ({ project_id, ...request }, caller) => {
      const object_id = objectIdOf(request.name, 'Evaluation')
      const op = async (name: string): Promise<string> =>
        opWithoutSource(classic, project_id, `${object_id}.${name}`, caller)
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
      const version = await publish(classic, { project_id, object_id, val }, caller)
      return { ...version, evaluation_ref: objectRef(project_id, version) }
    },
    evaluation_read: async (request, caller) =>
      view(await readVersionOf(classic, EVALUATION, request, caller)),
    evaluation_list: async (request, caller) => listVersionsOf(classic, EVALUATION, request, caller, view),
    evaluation_delete: async (request, caller) => deleteVersionsOf(classic, EVALUATION, request, caller),
  }
}

function view(obj: ObjectVersion) {
  const { val } = obj
  const scorers = find(val, 'scorers')
  const trials = find(val, 'trials')
  return {
    ...namedViewOf(obj),
    dataset: textAt(val, 'dataset') ?? '',
    scorers: scorers === undefined ? [] : items(scorers).flatMap((ref) => stringOf(ref) ?? []),
    trials: Math.trunc((trials === undefined ? undefined : numberOf(trials)) ?? 1),
    evaluation_name: textAt(val, 'evaluation_name') ?? null,
    evaluate_op: textAt(val, 'evaluate') ?? '',
    predict_and_score_op: textAt(val, 'predict_and_score') ?? '',
    summarize_op: textAt(val, 'summarize') ?? '',
  }
}
