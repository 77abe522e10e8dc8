import { Tooltip } from '@mantine/core'
import { letterOf } from '../compare/compare-search.ts'
import { differenceOf } from '../compare/difference.ts'
import { formatCost, formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration } from '../time/format.ts'
import { formatScore, formatScoreDifference } from './format-score.ts'
import styles from './score-cards.module.css'
import type { SummaryMeasure } from './summary.ts'

interface Props {
  readonly measures: readonly SummaryMeasure[]
  readonly runCount: number
  readonly lowerIsBetter: ReadonlySet<string>
  /** The score that examples are judged by. */
  readonly by: string | undefined
  readonly onBy: (score: string | undefined) => void
  readonly onLower: (score: string) => void
}

/** What the runs came to, a small chart for each measure. */
export function ScoreCards({ measures, runCount, lowerIsBetter, by, onBy, onLower }: Props) {
  return (
    <ul className={styles.cards} aria-label="What the runs came to" tabIndex={0}>
      {measures.map((measure) => {
        const { score } = measure
        const isLower = score === undefined || lowerIsBetter.has(score)
        return (
          <li
            key={measure.label}
            className={styles.card}
            data-chosen={(score !== undefined && score === by) || undefined}
          >
            <div className={styles.title}>
              {score === undefined ? (
                <span>{measure.label}</span>
              ) : (
                <Tooltip
                  label={score === by ? 'Judge examples by all scores' : 'Judge examples by this score alone'}
                >
                  <button
                    type="button"
                    className={`${styles.name} foreign`}
                    aria-pressed={score === by}
                    onClick={() => onBy(score === by ? undefined : score)}
                  >
                    {visibleText(measure.label)}
                  </button>
                </Tooltip>
              )}
              {score !== undefined && (
                <Tooltip label={isLower ? 'Less is better. Change it' : 'More is better. Change it'}>
                  <button
                    type="button"
                    className={styles.direction}
                    aria-label={`Of ${score}, ${isLower ? 'less' : 'more'} is better. Change it`}
                    onClick={() => onLower(score)}
                  >
                    {isLower ? '↓' : '↑'}
                  </button>
                </Tooltip>
              )}
            </div>
            <Bars measure={measure} runCount={runCount} isLower={isLower} />
          </li>
        )
      })}
    </ul>
  )
}

function Bars(props: {
  readonly measure: SummaryMeasure
  readonly runCount: number
  readonly isLower: boolean
}) {
  const { measure, runCount, isLower } = props
  const { values, kind } = measure
  const known = values.flatMap((value) => (value === undefined ? [] : [Math.abs(value)]))
  const most = kind === 'share' ? 1 : Math.max(Number.MIN_VALUE, ...known)
  const [base] = values
  if (runCount === 1 && kind !== 'share')
    return <p className={styles.alone}>{base === undefined ? '–' : valueText(kind, base)}</p>
  return (
    <ul className={styles.bars}>
      {values.map((value, n) => {
        const difference = n === 0 ? undefined : toneOf(measure, base, value, isLower)
        return (
          <li key={n} className={styles.bar}>
            {runCount > 1 && <span className={styles.letter}>{letterOf(n)}</span>}
            <svg className={styles.chart} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect className={styles.track} width="100" height="8" />
              {value !== undefined && (
                <rect
                  className={styles.fill}
                  data-base={n === 0 || undefined}
                  width={Math.max(0.5, (Math.abs(value) / most) * 100)}
                  height="8"
                />
              )}
            </svg>
            <span className={styles.value}>{value === undefined ? '–' : valueText(kind, value)}</span>
            {runCount > 1 && (
              <span className={styles.difference} data-tone={difference?.tone}>
                {difference?.text ?? ''}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function valueText(kind: SummaryMeasure['kind'], value: number): string {
  switch (kind) {
    case 'duration':
      return formatDuration(value)
    case 'count':
      return formatCount(Math.round(value))
    case 'cost':
      return formatCost(value)
    case 'share':
    case 'score':
      return formatScore(value, kind === 'share')
  }
}

function toneOf(
  { kind }: SummaryMeasure,
  base: number | undefined,
  value: number | undefined,
  isLower: boolean,
): { readonly text: string; readonly tone: string } | undefined {
  if (base === undefined || value === undefined) return undefined
  if (kind === 'duration' || kind === 'count' || kind === 'cost') {
    const difference = differenceOf(base, value, kind)
    // The share says enough in a card.
    return difference && { ...difference, text: /\((.+)\)/.exec(difference.text)?.[1] ?? difference.text }
  }
  const delta = value - base
  const tone = delta === 0 ? 'same' : delta > 0 === !isLower ? 'better' : 'worse'
  return { text: formatScoreDifference(delta, kind === 'share'), tone }
}
