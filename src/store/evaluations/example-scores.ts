import type { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import { trialOpNames } from '../../core/evaluations/evaluation-calls.ts'
import type { ScorePath } from '../../core/evaluations/score-paths.ts'
import type { Database } from '../database/database.ts'
import { compileFilter } from '../calls/read/filter.ts'
import { jsonRaw, jsonValue } from '../query/json-value.ts'
import { from } from '../query/scope.ts'
import { and, identifier, join, type Sql, sql } from '../query/sql.ts'

/** The scores of evaluation runs by example, summed over its trials in ClickHouse. */

export interface TwoRuns {
  readonly project_id: string
  readonly baseline: string
  readonly run: string
}

const OUTPUT = sql`if(output_normalized = '', output, output_normalized)`
const INPUTS = sql`if(inputs_normalized = '', inputs, inputs_normalized)`
const EXAMPLE = jsonValue(INPUTS, ['example']).text
/** Digest of the dataset row that a ref names; else a hash of the example, equal for equal examples. */
const KEY = sql`if(match(${EXAMPLE}, '/attr/rows/id/[^/]+$'), extract(${EXAMPLE}, '/attr/rows/id/([^/]+)$'), lower(hex(sipHash128(${EXAMPLE}))))`
/** Trials per run whose outputs are searched for scores. */
const SAMPLED_TRIALS = 200

function ofTrials({ project_id, baseline, run }: TwoRuns): Sql {
  const filter = { parent_ids: [baseline, run], op_names: trialOpNames(project_id) }
  return sql`${from(project_id, 'calls')} AND ${and(compileFilter(filter))}`
}

/** The scores of some trials of each run, as JSON. */
export async function sampleScores(db: Database, runs: TwoRuns): Promise<string[]> {
  const options = { name: 'score samples', kind: 'scan' } as const
  const rows = await db.rows<{ scores: string }>(selectScoreSamples(runs), options)
  return rows.map(({ scores }) => scores)
}

export function selectScoreSamples(runs: TwoRuns): Sql {
  return sql`SELECT ${jsonRaw(OUTPUT, ['scores'])} AS scores ${ofTrials(runs)} AND scores != ''
LIMIT ${SAMPLED_TRIALS} BY parent_id`
}

/** `s` has for each score the sum and count of the baseline, then of the run. */
export interface ExampleRow {
  readonly key: string
  readonly call_id: string
  readonly s: readonly number[]
}

export function streamExampleScores(
  db: Database,
  runs: TwoRuns,
  scores: readonly ScorePath[],
): BatchedStream<ExampleRow> {
  return db.stream<ExampleRow>(selectExampleScores(runs, scores), { name: 'example scores', kind: 'scan' })
}

export function selectExampleScores(runs: TwoRuns, scores: readonly ScorePath[]): Sql {
  const names = scores.map((_, i) => identifier(`v${i}`))
  const sums = names.flatMap((v) => [
    sql`ifNull(sumIf(${v}, is_run = 0), 0)`,
    sql`toFloat64(countIf(${v}, is_run = 0))`,
    sql`ifNull(sumIf(${v}, is_run = 1), 0)`,
    sql`toFloat64(countIf(${v}, is_run = 1))`,
  ])
  const isFlaky = join(
    names.map((v) => sql`minIf(${v}, is_run = 1) != maxIf(${v}, is_run = 1)`),
    ' OR ',
  )
  return sql`SELECT key, if(${isFlaky}, anyIf(id, is_run = 1), '') AS call_id, [${join(sums, ', ')}] AS s
FROM (${selectTrials(runs, scores)})
GROUP BY key ORDER BY key`
}

/** One row per trial; a score is 1 or 0 for yes or no, NULL if it is missing. */
function selectTrials(runs: TwoRuns, scores: readonly ScorePath[]): Sql {
  const values = scores.map(({ path }, i) => {
    const raw = jsonRaw(sql`scores`, path)
    return sql`if(isFinite(toFloat64OrZero(${raw})), transform(${raw}, ['true', 'false'], [1., 0.], toFloat64OrNull(${raw})), NULL) AS ${identifier(`v${i}`)}`
  })
  return sql`SELECT id, ${KEY} AS key, parent_id = ${runs.run} AS is_run, ${OUTPUT} AS document, JSONExtractRaw(document, 'scores') AS scores, ${join(values, ', ')}
${ofTrials(runs)}`
}

/** Sums of one score for a nested analysis of variance: answers within examples, scores within answers. */
export interface VarianceRow {
  readonly metric: number
  readonly answers: number
  readonly judge: number
  readonly answersDegrees: number
  readonly judgeDegrees: number
  readonly scores: number
  readonly crowding: number
  readonly repeated: number
}

/** Of the run. Equal outputs for one example are one answer. */
export async function listVariances(
  db: Database,
  runs: TwoRuns,
  scores: readonly ScorePath[],
): Promise<VarianceRow[]> {
  return db.rows<VarianceRow>(selectVariances(runs, scores), { name: 'score variances', kind: 'scan' })
}

export function selectVariances(runs: TwoRuns, scores: readonly ScorePath[]): Sql {
  const values = join(
    scores.map((_, i) => identifier(`v${i}`)),
    ', ',
  )
  return sql`SELECT metric, sum(between) AS answers, sum(within) AS judge, toFloat64(sum(answer_count - 1)) AS answersDegrees,
  toFloat64(sum(score_count - answer_count)) AS judgeDegrees, toFloat64(sum(score_count)) AS scores, sum(crowded) AS crowding, toFloat64(sum(repeats)) AS repeated
FROM (
  SELECT metric, key, count() AS answer_count, sum(n) AS score_count, sum(squares) AS within,
    greatest(0, sum(n * mean * mean) - pow(sum(n * mean), 2) / sum(n)) AS between, sum(n * n) / sum(n) AS crowded, countIf(n > 1) AS repeats
  FROM (
    SELECT metric, key, answer, count() AS n, avg(value) AS mean, varPopStable(value) * count() AS squares
    FROM (SELECT key, sipHash64(JSONExtractRaw(document, 'output')) AS answer, [${values}] AS list FROM (${selectTrials(runs, scores)}) WHERE is_run = 1)
    ARRAY JOIN list AS value, arrayEnumerate(list) AS metric
    WHERE isNotNull(value)
    GROUP BY metric, key, answer
  )
  GROUP BY metric, key HAVING score_count > 1
)
GROUP BY metric ORDER BY metric`
}
