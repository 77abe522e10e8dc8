import type { Database } from '../database/database.ts'
import { callIdOfRef, callRefPrefix, PAYLOAD } from '../calls/read/feedback-field.ts'
import { jsonRaw } from '../query/json-value.ts'
import { from } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** Scores of scorers, and labels of people on the same calls. Both are feedback. */

const SCORER_TYPE = 'wandb.runnable.'
const LABEL_TYPE = 'wandb.annotation.'
/** The newest ones. */
const MAX_LABELED = 20_000
const MAX_SCORERS = 200

export interface ScoreSource {
  readonly project_id: string
  readonly scorer: string
  readonly path: readonly string[]
  readonly label: string
  readonly labelPath: readonly string[]
  readonly threshold: number
}

function onCalls(project_id: string): Sql {
  return sql`${from(project_id, 'feedback')} AND startsWith(weave_ref, ${callRefPrefix(project_id)})`
}

/** 1 or 0 for yes or no; NULL if it is neither that nor a number. */
function numberAt(key: string, path: readonly string[]): Sql {
  const raw = jsonRaw(PAYLOAD, [key, ...path])
  return sql`transform(${raw}, ['true', 'false'], [1., 0.], toFloat64OrNull(${raw}))`
}

/** The newest score of each call and version of the scorer. */
function scoresOf({ project_id, scorer, path }: ScoreSource): Sql {
  return sql`SELECT weave_ref, ${callIdOfRef(project_id)} AS call_id, ifNull(runnable_ref, '') AS version, ${numberAt('output', path)} AS score, created_at
${onCalls(project_id)} AND feedback_type = ${SCORER_TYPE + scorer} AND isNotNull(score)
ORDER BY created_at DESC, id DESC LIMIT 1 BY weave_ref, version`
}

export interface LabeledRow {
  readonly call_id: string
  readonly version: string
  readonly score: number
  /** The share of the reviewers who accept it. */
  readonly label: number
}

/** Newest first. Calls that as many reviewers accept as reject are left out. */
export async function listLabeledScores(db: Database, source: ScoreSource): Promise<LabeledRow[]> {
  return db.rows<LabeledRow>(selectLabeledScores(source), { name: 'labeled scores', kind: 'scan' })
}

export function selectLabeledScores(source: ScoreSource): Sql {
  const { project_id, label, labelPath, threshold } = source
  const labels = sql`SELECT weave_ref, avg(value >= ${threshold}) AS label FROM (
    SELECT weave_ref, ${numberAt('value', labelPath)} AS value ${onCalls(project_id)} AND feedback_type = ${LABEL_TYPE + label} AND isNotNull(value)
    ORDER BY created_at DESC, id DESC LIMIT 1 BY weave_ref, wb_user_id)
  GROUP BY weave_ref HAVING label != 0.5`
  return sql`SELECT call_id, version, score, label FROM (${scoresOf(source)}) AS scores
INNER JOIN (${labels}) AS labels USING (weave_ref)
ORDER BY created_at DESC, call_id LIMIT ${MAX_LABELED}`
}

export interface JudgedRow {
  readonly version: string
  readonly judged: number
  readonly yes: number
}

/** All calls that the scorer scored, by its version, the newest version first. */
export async function countJudgedCalls(db: Database, source: ScoreSource): Promise<JudgedRow[]> {
  return db.rows<JudgedRow>(selectJudgedCalls(source), { name: 'judged calls', kind: 'scan' })
}

export function selectJudgedCalls(source: ScoreSource): Sql {
  return sql`SELECT version, toFloat64(count()) AS judged, toFloat64(countIf(score >= ${source.threshold})) AS yes
FROM (${scoresOf(source)}) GROUP BY version ORDER BY max(created_at) DESC LIMIT ${MAX_SCORERS}`
}

export interface ScorerRow {
  readonly scorer: string
  readonly versions: number
  readonly judged: number
  readonly labeled: number
  readonly labels: string[]
}

export async function listScorers(db: Database, project_id: string): Promise<ScorerRow[]> {
  return db.rows<ScorerRow>(selectScorers(project_id), { name: 'scorers', kind: 'scan' })
}

export function selectScorers(project_id: string): Sql {
  const labels = sql`SELECT weave_ref, groupUniqArray(20)(substring(feedback_type, ${LABEL_TYPE.length + 1})) AS names
  ${onCalls(project_id)} AND startsWith(feedback_type, ${LABEL_TYPE}) GROUP BY weave_ref`
  return sql`SELECT substring(feedback_type, ${SCORER_TYPE.length + 1}) AS scorer, toFloat64(uniqExact(runnable_ref)) AS versions,
  toFloat64(uniqExact(weave_ref)) AS judged, toFloat64(uniqExactIf(weave_ref, notEmpty(names))) AS labeled, arraySort(groupUniqArrayArray(20)(names)) AS labels
FROM (SELECT weave_ref, feedback_type, runnable_ref ${onCalls(project_id)} AND startsWith(feedback_type, ${SCORER_TYPE})) AS scores
LEFT JOIN (${labels}) AS labels USING (weave_ref)
GROUP BY scorer ORDER BY scorer LIMIT ${MAX_SCORERS}`
}
