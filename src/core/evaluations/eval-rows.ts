import type { EvalResultsQuery } from '../../contract/v2/eval-results.ts'
import { ApiError } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { find, item } from '../json/navigate.ts'
import type { Operand } from '../query/ast.ts'
import { matches, textOf } from '../query/evaluate.ts'
import { parseQuery } from '../query/parse.ts'
import { splitPath } from '../query/path.ts'

/** Which rows of evaluations are asked for, and in which order. */

/** What is kept of one trial while rows are chosen: no payloads, as there may be very many. */
export interface TrialFacts {
  readonly id: string
  readonly evaluation_call_id: string
  readonly row_digest: string
  /** For each group of filters whether it fits. */
  readonly fits: readonly boolean[]
  /** For each sort field its value. */
  readonly values: readonly string[]
}

/** The parts of a trial that filters and sorting look into. */
export interface TrialParts {
  readonly id: string
  readonly evaluation_call_id: string
  readonly row_digest: string
  readonly inputs: RawJson | undefined
  readonly output: RawJson | undefined
}

export interface ChosenRow {
  readonly row_digest: string
  readonly trials: readonly TrialFacts[]
}

interface FilterGroup {
  readonly evaluation_call_id: string | undefined
  readonly queries: readonly Operand[]
}

type Sort = NonNullable<EvalResultsQuery['sort_by']>[number]

export class RowChoice {
  readonly #groups: readonly FilterGroup[]
  readonly #sorts: readonly (Sort & { readonly path: readonly string[] })[]
  readonly #isAll: boolean
  /** Whether the rows of datasets must be read for it. */
  readonly needsInputs: boolean

  constructor({ filters, sort_by, filter_logic_operator }: EvalResultsQuery) {
    this.#groups = groupsOf(filters ?? [])
    this.#sorts = (sort_by ?? []).map((by) => ({ ...by, path: checkedPath(by.field) }))
    this.#isAll = filter_logic_operator === 'and'
    for (const { path, mode, field } of this.#sorts) {
      if (path[0] === 'row_digest' || (mode === 'difference' && path[0] !== 'scores'))
        throw new ApiError('invalid_request', `rows cannot be sorted by ${mode ?? 'value'} of "${field}"`)
    }
    const fields = [
      ...this.#groups.flatMap(({ queries }) => queries.flatMap(fieldsOf)),
      ...this.#sorts.map((by) => by.field),
    ]
    for (const field of fields) checkedPath(field)
    this.needsInputs = fields.some((field) => field.startsWith('inputs.'))
  }

  look({ id, evaluation_call_id, row_digest, ...parts }: TrialParts): TrialFacts {
    const isIn = (scope: string | null | undefined): boolean =>
      scope === null || scope === undefined || scope === evaluation_call_id
    const fieldOf = (path: readonly string[]): RawJson | undefined =>
      path[0] === 'row_digest' ? RawJson.of(row_digest) : valueAt(parts, path)
    return {
      id,
      evaluation_call_id,
      row_digest,
      fits: this.#groups.map(
        (group) => isIn(group.evaluation_call_id) && group.queries.every((query) => matches(query, fieldOf)),
      ),
      values: this.#sorts.map((by) =>
        by.mode === 'difference' || isIn(by.evaluation_call_id) ? textOf(fieldOf(by.path)) : '',
      ),
    }
  }

  /** Rows that fit, in order. A row fits a group of filters if one of its trials does. */
  rows(trials: readonly TrialFacts[]): ChosenRow[] {
    const byDigest = new Map<string, TrialFacts[]>()
    for (const trial of trials) {
      const row = byDigest.get(trial.row_digest)
      if (row === undefined) byDigest.set(trial.row_digest, [trial])
      else row.push(trial)
    }
    return [...byDigest]
      .map(([row_digest, of]) => ({ row_digest, trials: of }))
      .filter((row) => this.#isChosen(row))
      .sort((a, b) => this.#compare(a, b))
  }

  #isChosen({ trials }: ChosenRow): boolean {
    if (this.#groups.length === 0) return true
    const fits = this.#groups.map((_, i) => trials.some((trial) => trial.fits[i] === true))
    return this.#isAll ? fits.every(Boolean) : fits.some(Boolean)
  }

  #compare(a: ChosenRow, b: ChosenRow): number {
    for (const [i, by] of this.#sorts.entries()) {
      const order =
        by.path[0] === 'scores'
          ? numbersInOrder(scoreOf(a, i, by), scoreOf(b, i, by), by.direction)
          : textsInOrder(firstOf(a, i), firstOf(b, i), by.direction)
      if (order !== 0) return order
    }
    return a.row_digest < b.row_digest ? -1 : 1
  }
}

function groupsOf(filters: NonNullable<EvalResultsQuery['filters']>): FilterGroup[] {
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
  throw new ApiError('invalid_request', `"${field}" is none of scores.*, inputs.*, output.* and row_digest`)
}

function fieldsOf(node: Operand): string[] {
  if (node.op === 'field') return [node.raw]
  if (node.op === 'literal') return []
  if (node.op === 'and' || node.op === 'or') return node.operands.flatMap(fieldsOf)
  if (node.op === 'not') return fieldsOf(node.operand)
  if (node.op === 'in') return [node.input, ...node.list].flatMap(fieldsOf)
  if (node.op === 'contains') return [node.input, node.substr].flatMap(fieldsOf)
  if (node.op === 'convert' || node.op === 'size') return fieldsOf(node.input)
  return 'left' in node ? [node.left, node.right].flatMap(fieldsOf) : []
}

function valueAt(
  { inputs, output }: Pick<TrialParts, 'inputs' | 'output'>,
  path: readonly string[],
): RawJson | undefined {
  const [root, ...rest] = path
  let at = root === 'inputs' ? inputs : output
  for (const key of root === 'scores' ? ['scores', ...rest] : rest) {
    if (at === undefined) return undefined
    at = find(at, key) ?? (/^\d{1,9}$/.test(key) ? item(at, Number(key)) : undefined)
  }
  // Verdicts count as 1 and 0.
  if (root === 'scores' && (at?.text === 'true' || at?.text === 'false'))
    return RawJson.fromText(at.text === 'true' ? '1' : '0')
  return at
}

/** The mean over the trials, or how far the means of the evaluations are apart. */
function scoreOf({ trials }: ChosenRow, i: number, { mode }: Sort): number | undefined {
  const byEvaluation = new Map<string, number[]>()
  for (const trial of trials) {
    const text = trial.values[i] ?? ''
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

function firstOf({ trials }: ChosenRow, i: number): string {
  return trials.find((trial) => trial.values[i] !== '')?.values[i] ?? ''
}

type Direction = Sort['direction']

/** What is unknown comes last in both directions. */
function numbersInOrder(a: number | undefined, b: number | undefined, direction: Direction): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return direction === 'asc' ? a - b : b - a
}

/** Numbers first, then text; nothing last. */
function textsInOrder(a: string, b: string, direction: Direction): number {
  const rank = (text: string): number => (text === '' ? 2 : Number.isNaN(Number(text)) ? 1 : 0)
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (rank(a) === 0) return numbersInOrder(Number(a), Number(b), direction)
  if (a === b) return 0
  return a < b === (direction === 'asc') ? -1 : 1
}
