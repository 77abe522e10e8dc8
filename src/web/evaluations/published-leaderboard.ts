import { eachChild, kindAt, skipSpace } from '../../client/browser/json-scan.ts'
import { parseRef } from '../../client/browser/ref.ts'
import { valueAt } from '../json/value-at.ts'
import type { LeaderboardColumn } from './leaderboard.ts'
import type { Run } from './run.ts'

/** A column of `weave.flow.leaderboard.Leaderboard`. */
interface PublishedColumn {
  /** Ref of one version of an evaluation. */
  readonly evaluationRef: string
  readonly scorer: string
  /** Path in the summary of the scorer. */
  readonly path: readonly string[]
  readonly isLower: boolean
}

export interface PublishedLeaderboard {
  readonly description: string
  readonly columns: readonly PublishedColumn[]
}

/** Reads the value of a published leaderboard. Columns that name no evaluation or scorer are omitted. */
export function readLeaderboard(val: string): PublishedLeaderboard {
  const columns: PublishedColumn[] = []
  const list = valueAt(val, ['columns']) ?? '[]'
  const start = skipSpace(list, 0)
  if (kindAt(list, start) === 'array')
    eachChild(list, start, (_, at, end) => {
      const column = list.slice(at, end)
      const evaluationRef = textAt(column, 'evaluation_object_ref')
      const scorer = textAt(column, 'scorer_name')
      const path = textAt(column, 'summary_metric_path')
      if (evaluationRef === undefined || scorer === undefined || path === undefined) return
      const isLower = valueAt(column, ['should_minimize']) === 'true'
      columns.push({ evaluationRef, scorer, path: path.split('.'), isLower })
    })
  return { description: textAt(val, 'description') ?? '', columns }
}

function textAt(json: string, name: string): string | undefined {
  const text = valueAt(json, [name])
  return text?.startsWith('"') === true ? (JSON.parse(text) as string) : undefined
}

/** The columns of a leaderboard, of the runs of exactly the evaluation versions that it names. */
export function publishedColumns({ columns }: PublishedLeaderboard): readonly LeaderboardColumn[] {
  const evaluations = new Set(columns.map(({ evaluationRef }) => evaluationRef))
  return columns.map(({ evaluationRef, scorer, path, isLower }, i) => {
    const ref = parseRef(evaluationRef)
    const { name, digest } = ref !== undefined && 'name' in ref ? ref : { name: evaluationRef, digest: '' }
    const isLatency = scorer === 'model_latency'
    const label = isLatency ? 'Model latency' : metricName(scorer, path)
    return {
      id: `column-${i}`,
      label: evaluations.size === 1 ? label : `${name} · ${label}`,
      kind: isLatency ? 'duration' : path.at(-1) === 'true_fraction' ? 'share' : 'score',
      isLower,
      isOf: ({ evaluation }) => evaluation.name === name && evaluation.digest === digest,
      value: (run) => {
        const value = summaryValue(run, scorer, path)
        // The SDK measures latency in seconds.
        return value === undefined ? undefined : isLatency ? value * 1000 : value
      },
      isPartial: () => false,
    }
  })
}

/** As the other pages name the score: without the aggregate. */
function metricName(scorer: string, path: readonly string[]): string {
  const isAggregate = path.at(-1) === 'true_fraction' || path.at(-1) === 'mean'
  return [scorer, ...(isAggregate ? path.slice(0, -1) : path)].join('.')
}

/** A number in the summary of a run. Like in the SDK, a path may be longer than the summary is deep. */
function summaryValue({ summaryText }: Run, scorer: string, path: readonly string[]): number | undefined {
  if (summaryText === undefined) return undefined
  let value = valueAt(summaryText, [scorer])
  for (const step of path) {
    const kind = value === undefined ? undefined : kindAt(value, 0)
    if (value === undefined || (kind !== 'object' && kind !== 'array')) break
    value = valueAt(value, [step])
  }
  return value === undefined || kindAt(value, 0) !== 'number' ? undefined : Number(value)
}
