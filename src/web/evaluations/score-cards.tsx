import { Tooltip } from '@mantine/core'
import { columnLetter } from '../compare/compared-ids.ts'
import { formatDifference } from '../compare/difference.ts'
import { formatScoreDifference } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { exactMetricValue, formatMetricValue } from './metric-format.ts'
import styles from './score-cards.module.css'
import type { SummaryMetric } from './summary.ts'

interface Props {
  readonly metrics: readonly SummaryMetric[]
  readonly runCount: number
  readonly lowerIsBetter: ReadonlySet<string>
  /** The only score that filter and order use. */
  readonly selectedScore: string | undefined
  readonly onSelectScore: (score: string | undefined) => void
  readonly onToggleDirection: (score: string) => void
}

/** Summary of the runs: a small bar chart for each metric. */
export function ScoreCards({
  metrics,
  runCount,
  lowerIsBetter,
  selectedScore,
  onSelectScore,
  onToggleDirection,
}: Props) {
  return (
    <ul className={styles.cards} aria-label="Run summary" tabIndex={0}>
      {metrics.map((metric) => {
        const { score } = metric
        const isLower = score === undefined || lowerIsBetter.has(score)
        return (
          <li
            key={metric.label}
            aria-label={metric.label}
            className={styles.card}
            data-selected={(score !== undefined && score === selectedScore) || undefined}
          >
            <div className={styles.title}>
              {score === undefined || !metric.isOfExamples ? (
                <span className="isolate">{visibleText(metric.label)}</span>
              ) : (
                <Tooltip label={score === selectedScore ? 'Use all scores' : 'Use only this score'}>
                  <button
                    type="button"
                    className={`${styles.name} isolate`}
                    aria-pressed={score === selectedScore}
                    onClick={() => onSelectScore(score === selectedScore ? undefined : score)}
                  >
                    {visibleText(metric.label)}
                  </button>
                </Tooltip>
              )}
              {score !== undefined && (
                <Tooltip label={`${isLower ? 'Lower' : 'Higher'} is better. Click to change`}>
                  <button
                    type="button"
                    className={styles.direction}
                    aria-label={`${score}: ${isLower ? 'lower' : 'higher'} is better. Change direction`}
                    onClick={() => onToggleDirection(score)}
                  >
                    {isLower ? '↓' : '↑'}
                  </button>
                </Tooltip>
              )}
            </div>
            <Bars metric={metric} runCount={runCount} isLower={isLower} />
          </li>
        )
      })}
    </ul>
  )
}

function Bars(props: {
  readonly metric: SummaryMetric
  readonly runCount: number
  readonly isLower: boolean
}) {
  const { metric, runCount, isLower } = props
  const { values, kind } = metric
  const isPartial = (run: number): boolean => metric.isPartial[run] === true
  const known = values.flatMap((value) => (value === undefined ? [] : [Math.abs(value)]))
  const max = kind === 'share' ? 1 : Math.max(Number.MIN_VALUE, ...known)
  if (runCount === 1 && kind !== 'share')
    return (
      <p className={styles.single} title={exactMetricValue(kind, values[0], isPartial(0))}>
        {formatMetricValue(kind, values[0], isPartial(0))}
      </p>
    )
  return (
    <ul>
      {values.map((value, n) => {
        const difference = n === 0 ? undefined : formatMetricDifference(metric, n, isLower)
        return (
          <li key={n} className={styles.bar}>
            {runCount > 1 && <span className={styles.letter}>{columnLetter(n)}</span>}
            <svg className={styles.chart} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect className={styles.track} width="100" height="8" />
              {value !== undefined && (
                <rect
                  className={styles.fill}
                  data-base={n === 0 || undefined}
                  width={Math.max(0.5, (Math.abs(value) / max) * 100)}
                  height="8"
                />
              )}
            </svg>
            <span className={styles.value} title={exactMetricValue(kind, value, isPartial(n))}>
              {formatMetricValue(kind, value, isPartial(n))}
            </span>
            {runCount > 1 && (
              <span className={`${styles.difference} difference`} data-tone={difference?.tone}>
                {difference?.text ?? ''}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The difference to the baseline, the first run. */
export function formatMetricDifference(
  { kind, values, isPartial }: SummaryMetric,
  run: number,
  isLower: boolean,
): { readonly text: string; readonly tone: string } | undefined {
  const [base] = values
  const value = values[run]
  // The difference of lower bounds says nothing.
  if (base === undefined || value === undefined || isPartial[0] === true || isPartial[run] === true)
    return undefined
  if (kind === 'duration' || kind === 'count' || kind === 'cost') {
    const difference = formatDifference(base, value, kind)
    // A card shows only the relative change.
    return difference && { ...difference, text: /\((.+)\)/.exec(difference.text)?.[1] ?? difference.text }
  }
  const delta = value - base
  const tone = delta === 0 ? 'same' : delta > 0 === !isLower ? 'better' : 'worse'
  return { text: formatScoreDifference(delta, kind === 'share'), tone }
}
