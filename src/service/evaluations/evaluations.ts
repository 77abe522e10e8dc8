import { ApiError } from '../../contract/api-error.ts'
import type { Call } from '../../contract/calls/calls.ts'
import {
  BASELINE_FEEDBACK,
  type BaselineRecord,
  GATE_FEEDBACK,
  type GateResult,
  gateResult,
  type GateRules,
} from '../../contract/evaluations/gates.ts'
import { formatRef } from '../../contract/objects/ref.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { isRun, runOpNames, runRefs } from '../../core/evaluations/evaluation-calls.ts'
import { gateChecks, gateVerdict } from '../../core/evaluations/gate.ts'
import { stringMember } from '../../core/json/navigate.ts'
import { parseRef } from '../../core/objects/ref.ts'
import { listRunRecords } from '../../store/evaluations/run-records.ts'
import { readCalls } from '../calls/call-stream.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { compareRuns } from './compare-runs.ts'

/** Handlers that compare evaluation runs, pin baselines and decide gates. */

type Operation =
  | 'evaluation_compare'
  | 'evaluation_gate'
  | 'evaluation_gates'
  | 'evaluation_baseline_set'
  | 'evaluation_baselines'

type CreateFeedback = Handlers['feedback_create']

export function evaluationHandlers(deps: Deps, createFeedback: CreateFeedback): Pick<Handlers, Operation> {
  const { db } = deps
  return {
    evaluation_compare: async ({ project_id, baseline, run, lower_is_better, include_variance }) => {
      await Promise.all([baseline, run].map((id) => readRun(deps, project_id, id)))
      return compareRuns(
        deps,
        { project_id, baseline, run },
        { lowerIsBetter: lower_is_better ?? [], includeVariance: include_variance === true },
      )
    },

    evaluation_gate: async ({ project_id, run: runName, baseline: baselineName, rules }, caller) => {
      const run = await readRun(deps, project_id, runName)
      const evaluation = evaluationName(run)
      const baselineId = baselineName ?? (await pinnedBaseline(deps, project_id, evaluation))
      const baseline = await readRun(deps, project_id, baselineId)
      const { ignored, expired } = quarantine(rules ?? {}, new Date(Number(deps.now() / 1000n)))
      const lowerIsBetter = Object.entries(rules?.scores ?? {}).flatMap(([name, rule]) =>
        rule.lower_is_better === true ? [name] : [],
      )
      const runs = { project_id, baseline: baseline.id, run: run.id }
      const comparison = await compareRuns(deps, runs, { lowerIsBetter, ignored })
      const checks = gateChecks(comparison, rules ?? {})
      const result: GateResult = {
        verdict: gateVerdict(checks),
        run: run.id,
        run_name: run.display_name ?? run.id,
        baseline: baseline.id,
        baseline_name: baseline.display_name ?? baseline.id,
        evaluation,
        checks,
        quarantined: ignored.size,
        expired,
      }
      await createFeedback(
        {
          project_id,
          weave_ref: callRef(project_id, run.id),
          feedback_type: GATE_FEEDBACK,
          payload: RawJson.fromValue(result),
        },
        caller,
      )
      return { result, comparison }
    },

    evaluation_gates: async ({ project_id }) => {
      const records = await listRunRecords(db, project_id, GATE_FEEDBACK)
      return {
        gates: records.flatMap(({ user, at, payload }) => {
          const result = gateResultOf(payload)
          return result === undefined ? [] : [{ user, at, result }]
        }),
      }
    },

    evaluation_baseline_set: async ({ project_id, run: id }, caller) => {
      const run = await readRun(deps, project_id, id)
      const evaluation = evaluationName(run)
      const stored = await createFeedback(
        {
          project_id,
          weave_ref: callRef(project_id, run.id),
          feedback_type: BASELINE_FEEDBACK,
          payload: RawJson.fromValue({ evaluation }),
        },
        caller,
      )
      return { evaluation, run: run.id, user: stored.wb_user_id, at: stored.created_at }
    },

    evaluation_baselines: async ({ project_id }) => ({ baselines: await listBaselines(deps, project_id) }),
  }
}

async function listBaselines({ db }: Deps, project_id: string): Promise<BaselineRecord[]> {
  const records = await listRunRecords(db, project_id, BASELINE_FEEDBACK)
  return records.flatMap(({ run, user, at, payload }) => {
    const evaluation = stringMember(RawJson.fromText(payload), 'evaluation')
    return evaluation === undefined ? [] : [{ evaluation, run, user, at }]
  })
}

async function pinnedBaseline(deps: Deps, project_id: string, evaluation: string): Promise<string> {
  const pinned = (await listBaselines(deps, project_id)).find((each) => each.evaluation === evaluation)
  if (pinned === undefined)
    throw new ApiError(
      'not_found',
      `no baseline is pinned for the evaluation "${evaluation}"; pin one, or name one in "baseline"`,
    )
  return pinned.run
}

/** The run with this id, or the newest with this display name. */
async function readRun(deps: Deps, project_id: string, name: string): Promise<Call> {
  const columns = ['inputs', 'attributes', 'display_name', 'op_name']
  const newestFirst = [{ field: 'started_at', direction: 'desc' as const }]
  const query = RawJson.fromValue({ $expr: { $eq: [{ $getField: 'display_name' }, { $literal: name }] } })
  const op_names = runOpNames(project_id)
  for (const selection of [{ filter: { call_ids: [name] } }, { filter: { op_names }, query }]) {
    const found = await readCalls(deps, { project_id, columns, ...selection, sort_by: newestFirst, limit: 1 })
    for await (const call of found) if (isRun(call)) return call
  }
  throw new ApiError('not_found', `evaluation run "${name}" not found in ${project_id}`)
}

/** The name of the evaluation of a run, the same for all of its versions. */
function evaluationName(run: Call): string {
  const { evaluation } = runRefs(run)
  const ref = parseRef(evaluation)
  return ref !== undefined && 'name' in ref ? ref.name : evaluation
}

function quarantine(
  { quarantine: listed }: GateRules,
  now: Date,
): { ignored: ReadonlySet<string>; expired: string[] } {
  const today = now.toISOString().slice(0, 10)
  const examples = (isIn: boolean): string[] =>
    (listed ?? []).filter(({ until }) => until >= today === isIn).map(({ example }) => example)
  return { ignored: new Set(examples(true)), expired: examples(false) }
}

function callRef(project_id: string, id: string): string {
  return formatRef({ kind: 'call', project_id, id, path: [] })
}

/** Anybody who may write can create feedback of this type; what is not the result of a gate is left out. */
function gateResultOf(payload: string): GateResult | undefined {
  const result = gateResult.safeParse(JSON.parse(payload))
  return result.success ? result.data : undefined
}
