import type { EvalResultsQuery } from '../../contract/v2/eval-results.ts'
import { ApiError } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { findAt } from '../json/navigate.ts'
import type { Operand } from '../query/ast.ts'
import { matches, comparableText } from '../query/evaluate.ts'
import { parseQuery } from '../query/parse.ts'
import { splitPath } from '../query/path.ts'

/** Filters and sorts the rows of evaluation results. */

/** The part of a trial that is kept while rows are selected. Without payloads, because there may be many trials. */
export interface TrialKeys {
  readonly id: string
  readonly evaluation_call_id: string
  readonly row_digest: string
  /** For each group of filters, whether the trial matches. */
  readonly matchesGroup: readonly boolean[]
  /** The value of each sort field. */
  readonly sortValues: readonly string[]
}

/** The parts of a trial that filters and sorting use. */
export interface TrialParts {
  readonly id: string
  readonly evaluation_call_id: string
  readonly row_digest: string
  readonly inputs: RawJson | undefined
  readonly output: RawJson | undefined
}

export interface SelectedRow {
  readonly row_digest: string
  readonly trials: readonly TrialKeys[]
}

interface FilterGroup {
  readonly evaluation_call_id: string | undefined
  readonly queries: readonly Operand[]
}

type Sort = NonNullable<EvalResultsQuery['sort_by']>[number]

export class EvalRowSelector {
  readonly #groups: readonly FilterGroup[]
  readonly #sorts: readonly (Sort & { readonly path: readonly string[] })[]
  readonly #isAll: boolean
  /** Whether dataset rows must be read. */
  readonly needsInputs: boolean

  constructor({ filters, sort_by, filter_logic_operator }: EvalResultsQuery) {
    this.#groups = groupFilters(filters ?? [])
    this.#sorts = (sort_by ?? []).map((by) => ({ ...by, path: checkedPath(by.field) }))
    this.#isAll = filter_logic_operator === 'and'
    for (const { path, mode, field } of this.#sorts) {
      if (path[0] === 'row_digest' || (mode === 'difference' && path[0] !== 'scores'))
        throw new ApiError('invalid_request', `rows cannot be sorted by the ${mode ?? 'value'} of "${field}"`)
    }
    const fields = [
      ...this.#groups.flatMap(({ queries }) => queries.flatMap(queryFields)),
      ...this.#sorts.map((by) => by.field),
    ]
    for (const field of fields) checkedPath(field)
    this.needsInputs = fields.some((field) => field.startsWith('inputs.'))
  }

  extract({ id, evaluation_call_id, row_digest, ...parts }: TrialParts): TrialKeys {
    const isIn = (scope: string | null | undefined): boolean =>
      scope === null || scope === undefined || scope === evaluation_call_id
    const readField = (path: readonly string[]): RawJson | undefined =>
      path[0] === 'row_digest' ? RawJson.fromValue(row_digest) : valueAt(parts, path)
    return {
      id,
      evaluation_call_id,
      row_digest,
      matchesGroup: this.#groups.map(
        (group) =>
          isIn(group.evaluation_call_id) && group.queries.every((query) => matches(query, readField)),
      ),
      sortValues: this.#sorts.map((by) =>
        by.mode === 'difference' || isIn(by.evaluation_call_id) ? comparableText(readField(by.path)) : '',
      ),
    }
  }

  /** The matching rows in order. A row matches a group of filters if one of its trials does. */
  rows(trials: readonly TrialKeys[]): SelectedRow[] {
    const byDigest = new Map<string, TrialKeys[]>()
    for (const trial of trials) {
      const row = byDigest.get(trial.row_digest)
      if (row === undefined) byDigest.set(trial.row_digest, [trial])
      else row.push(trial)
    }
    return [...byDigest]
      .map(([row_digest, rowTrials]) => ({ row_digest, trials: rowTrials }))
      .filter((row) => this.#isSelected(row))
      .sort((a, b) => this.#compare(a, b))
  }

  #isSelected({ trials }: SelectedRow): boolean {
    if (this.#groups.length === 0) return true
    const matched = this.#groups.map((_, i) => trials.some((trial) => trial.matchesGroup[i] === true))
    return this.#isAll ? matched.every(Boolean) : matched.some(Boolean)
  }

  #compare(a: SelectedRow, b: SelectedRow): number {
    for (const [i, by] of this.#sorts.entries()) {
      const order =
        by.path[0] === 'scores'
          ? compareNumbers(sortScore(a, i, by), sortScore(b, i, by), by.direction)
          : compareTexts(firstValue(a, i), firstValue(b, i), by.direction)
      if (order !== 0) return order
    }
    return a.row_digest < b.row_digest ? -1 : 1
  }
}

function groupFilters(filters: NonNullable<EvalResultsQuery['filters']>): FilterGroup[] {
  const groups = new Map<string | undefined, Operand[]>()
  for (const { evaluation_call_id, query } of filters) {
    const parsed = parseQuery(query)
    if (parsed === undefined) continue
    const scope = evaluation_call_id ?? undefined
    groups.set(scope, [...(groups.get(scope) ?? []), parsed])
  }
  return [...groups].map(([evaluation_call_id, queries]) => ({ evaluation_call_id, queries }))
}

const ROOTS = new Set(['scores', 'inputs', 'output', 'row_digest'])

function checkedPath(field: string): string[] {
  const path = splitPath(field)
  if (ROOTS.has(path[0] ?? '') && (path.length > 1 || field === 'row_digest')) return path
  throw new ApiError(
    'invalid_request',
    `"${field}" is not a valid field; use scores.*, inputs.*, output.* or row_digest`,
  )
}

function queryFields(node: Operand): string[] {
  if (node.op === 'field') return [node.raw]
  if (node.op === 'literal') return []
  if (node.op === 'and' || node.op === 'or') return node.operands.flatMap(queryFields)
  if (node.op === 'not') return queryFields(node.operand)
  if (node.op === 'in') return [node.input, ...node.list].flatMap(queryFields)
  if (node.op === 'contains') return [node.input, node.substr].flatMap(queryFields)
  if (node.op === 'convert' || node.op === 'size') return queryFields(node.input)
  return 'left' in node ? [node.left, node.right].flatMap(queryFields) : []
}

function valueAt(
  { inputs, output }: Pick<TrialParts, 'inputs' | 'output'>,
  path: readonly string[],
): RawJson | undefined {
  const [root, ...rest] = path
  const document = root === 'inputs' ? inputs : output
  const at = document && findAt(document, root === 'scores' ? ['scores', ...rest] : rest)
  // Booleans count as 1 and 0.
  if (root === 'scores' && (at?.text === 'true' || at?.text === 'false'))
    return RawJson.fromText(at.text === 'true' ? '1' : '0')
  return at
}

/** The mean over the trials, or the spread between the means of the evaluations. */
function sortScore({ trials }: SelectedRow, i: number, { mode }: Sort): number | undefined {
  const byEvaluation = new Map<string, number[]>()
  for (const trial of trials) {
    const text = trial.sortValues[i] ?? ''
    if (text === '' || Number.isNaN(Number(text))) continue
    const key = mode === 'difference' ? trial.evaluation_call_id : ''
    byEvaluation.set(key, [...(byEvaluation.get(key) ?? []), Number(text)])
  }
  const means = [...byEvaluation.values()].map(
    (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length,
  )
  if (mode !== 'difference') return means[0]
  return means.length < 2 ? undefined : Math.max(...means) - Math.min(...means)
}

function firstValue({ trials }: SelectedRow, i: number): string {
  return trials.find((trial) => trial.sortValues[i] !== '')?.sortValues[i] ?? ''
}

type Direction = Sort['direction']

/** Undefined values come last in both directions. */
function compareNumbers(a: number | undefined, b: number | undefined, direction: Direction): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return direction === 'asc' ? a - b : b - a
}

/** Numbers first, then text; empty values last. */
function compareTexts(a: string, b: string, direction: Direction): number {
  const rank = (text: string): number => (text === '' ? 2 : Number.isNaN(Number(text)) ? 1 : 0)
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (rank(a) === 0) return compareNumbers(Number(a), Number(b), direction)
  if (a === b) return 0
  return a < b === (direction === 'asc') ? -1 : 1
}
