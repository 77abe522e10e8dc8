import type { Call } from '../../contract/calls/calls.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { EvalResultsQuery, EvalRow, EvalSummary } from '../../contract/v2/eval-results.ts'
import { valueDigest } from '../../core/objects/digest.ts'
import { type ChosenRow, RowChoice, type TrialFacts } from '../../core/evaluations/eval-rows.ts'
import { type EvalRoot, EvalTally } from '../../core/evaluations/eval-summary.ts'
import { partsOfRun, trialOpNames } from '../../core/evaluations/evaluation-calls.ts'
import { inGroups } from '../../core/concurrency/grouped.ts'
import { find, stringOf } from '../../core/json/navigate.ts'
import { parseRef } from '../../core/objects/ref.ts'
import { checkPage } from '../../store/query/page.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { resolveRefs } from '../objects/refs.ts'
import { queryCalls } from './calls.ts'
import type { Classic } from './classic.ts'
import { readTrials } from './eval-trials.ts'

/** Trials whose rows are looked up at a time. */
const GROUP_TRIALS = 500
/** Trials that are read whole at a time. */
const READ_TRIALS = 250

/**
 * Evaluations side by side. First every trial is looked at and only what decides about its row is kept; then the
 * trials of the page are read whole, and those of the summary a few at a time.
 */
export function evalResultsHandlers(deps: Deps, classic: Classic): Pick<Handlers, 'eval_results_query'> {
  return {
    eval_results_query: async (request, caller) => {
      const roots = [
        ...new Set([...(request.evaluation_call_ids ?? []), ...(request.evaluation_run_ids ?? [])]),
      ]
      const choice = new RowChoice(request)
      const page = checkPage(request)
      const facts = roots.length === 0 ? [] : await lookAtAll(deps, classic, request, roots, choice, caller)
      const chosen = choice.rows(facts)
      const shown = request.require_intersection === true ? common(chosen, roots) : chosen
      const first = page.offset ?? 0
      const rows =
        request.include_rows === false
          ? []
          : shown.slice(first, page.limit === undefined ? undefined : first + page.limit)
      const isCommon = request.summary_require_intersection ?? request.require_intersection
      const summed = isCommon === true ? common(chosen, roots) : chosen
      const viewed = await viewRows(deps, classic, request, roots, rows, caller)
      return {
        rows: viewed,
        total_rows: shown.length,
        summary:
          request.include_summary === true
            ? { row_count: summed.length, evaluations: await sumUp(classic, request, roots, summed, caller) }
            : null,
        warnings: warningsOf(request, viewed),
      }
    },
  }
}

/** Rows that every evaluation has. */
function common(rows: readonly ChosenRow[], roots: readonly string[]): ChosenRow[] {
  return rows.filter(
    ({ trials }) => new Set(trials.map((trial) => trial.evaluation_call_id)).size === roots.length,
  )
}

async function lookAtAll(
  deps: Deps,
  classic: Classic,
  { project_id }: EvalResultsQuery,
  roots: readonly string[],
  choice: RowChoice,
  caller: Caller,
): Promise<TrialFacts[]> {
  const filter = { parent_ids: [...roots], op_names: trialOpNames(project_id) }
  const query = { project_id, filter, columns: ['parent_id', 'inputs', 'output'] }
  const facts: TrialFacts[] = []
  for await (const group of inGroups(queryCalls(classic, query, caller), GROUP_TRIALS)) {
    const examples = group.map(exampleOf)
    const resolved = choice.needsInputs ? await resolveRows(deps, project_id, examples) : examples
    for (const [i, trial] of group.entries()) {
      const evaluation_call_id = trial.parent_id ?? ''
      const row_digest = rowDigest(examples[i])
      const parts = { inputs: resolved[i], output: trial.output ?? undefined }
      facts.push(choice.look({ id: trial.id, evaluation_call_id, row_digest, ...parts }))
    }
  }
  return facts
}

function exampleOf(trial: Call): RawJson | undefined {
  return find(trial.inputs, 'example')
}

/** The same for the ref of a dataset's row and for its content: the digest of the row. */
function rowDigest(example: RawJson | undefined): string {
  const text = example === undefined ? undefined : stringOf(example)
  const digest = text === undefined ? undefined : /\/attr\/rows\/id\/([^/]+)$/.exec(text)?.[1]
  return digest ?? valueDigest(example ?? RawJson.fromText('null'))
}

/** Rows in the place of their refs, where they are in the same project and still there. */
async function resolveRows(
  deps: Deps,
  project_id: string,
  examples: readonly (RawJson | undefined)[],
): Promise<(RawJson | undefined)[]> {
  const refs = examples.flatMap((example, i) => {
    const text = example === undefined ? undefined : stringOf(example)
    const ref = text === undefined ? undefined : parseRef(text)
    // Whether another project may be read was not asked.
    return ref !== undefined && 'name' in ref && ref.project_id === project_id ? [{ i, ref }] : []
  })
  const values = await resolveRefs(
    deps,
    refs.map(({ ref }) => ref),
  )
  const resolved = [...examples]
  for (const [n, { i }] of refs.entries()) resolved[i] = values[n] ?? resolved[i]
  return resolved
}

async function viewRows(
  deps: Deps,
  classic: Classic,
  request: EvalResultsQuery,
  roots: readonly string[],
  rows: readonly ChosenRow[],
  caller: Caller,
): Promise<EvalRow[]> {
  const ids = rows.flatMap((row) => row.trials.map((trial) => trial.id))
  const read = new Map<string, Awaited<ReturnType<typeof readTrials>>[number]>()
  for (const group of slices(ids, READ_TRIALS))
    for (const each of await readTrials(classic, request, group, caller)) read.set(each.trial.id, each)
  const examples = rows.map(({ trials }) => {
    const first = read.get(trials[0]?.id ?? '')
    return request.include_raw_data_rows === true && first ? exampleOf(first.trial) : undefined
  })
  const data =
    request.resolve_row_refs === true ? await resolveRows(deps, request.project_id, examples) : examples
  return rows.map(({ row_digest, trials }, i) => ({
    row_digest,
    raw_data_row: data[i] ?? null,
    evaluations: roots.flatMap((evaluation_call_id) => {
      const own = trials.filter((trial) => trial.evaluation_call_id === evaluation_call_id)
      if (own.length === 0) return []
      return [{ evaluation_call_id, trials: own.flatMap((trial) => read.get(trial.id)?.view ?? []) }]
    }),
  }))
}

async function sumUp(
  classic: Classic,
  request: EvalResultsQuery,
  roots: readonly string[],
  rows: readonly ChosenRow[],
  caller: Caller,
): Promise<EvalSummary[]> {
  const tallies = new Map<string, EvalTally>()
  for (const group of slices(
    rows.flatMap((row) => row.trials),
    READ_TRIALS,
  )) {
    const evaluations = new Map(group.map((trial) => [trial.id, trial.evaluation_call_id]))
    for (const { trial, view } of await readTrials(classic, request, [...evaluations.keys()], caller)) {
      const id = evaluations.get(trial.id) ?? ''
      const tally = tallies.get(id) ?? new EvalTally(id)
      tallies.set(id, tally)
      tally.add(view)
    }
  }
  const known = await rootsOf(classic, request.project_id, roots, caller)
  return roots.flatMap((id) => tallies.get(id)?.summary(known.get(id) ?? NO_ROOT) ?? [])
}

const NO_ROOT: EvalRoot = {
  evaluation_ref: null,
  model_ref: null,
  display_name: null,
  trace_id: null,
  started_at: null,
}

async function rootsOf(
  classic: Classic,
  project_id: string,
  roots: readonly string[],
  caller: Caller,
): Promise<Map<string, EvalRoot>> {
  const found = new Map<string, EvalRoot>()
  const query = {
    project_id,
    filter: { call_ids: [...roots] },
    columns: ['inputs', 'attributes', 'display_name'],
  }
  for await (const call of queryCalls(classic, query, caller)) {
    const { evaluation, model } = partsOfRun(call)
    const { display_name, trace_id, started_at } = call
    found.set(call.id, {
      evaluation_ref: evaluation || null,
      model_ref: model || null,
      display_name,
      trace_id,
      started_at,
    })
  }
  return found
}

function warningsOf(request: EvalResultsQuery, rows: readonly EvalRow[]): string[] {
  if (request.resolve_row_refs !== true) return []
  const isRef = (row: EvalRow): boolean => {
    const text = row.raw_data_row === null ? undefined : stringOf(row.raw_data_row)
    return text !== undefined && parseRef(text) !== undefined
  }
  return rows.some(isRef) ? ['some rows of datasets could not be read; their refs stand for them'] : []
}

function* slices<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}
