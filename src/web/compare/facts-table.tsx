import { ActionIcon, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'
import { inPath, type Project } from '../api/project.ts'
import type { CallFacts } from '../call/call-facts.ts'
import { Elapsed } from '../call/elapsed.tsx'
import { StatusMark } from '../call/status-mark.tsx'
import { STATUS_WORDS } from '../call/status.ts'
import { formatCost, formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration, formatTime } from '../time/format.ts'
import { letterOf } from './compare-search.ts'
import { differenceOf, type Unit } from './difference.ts'
import styles from './facts-table.module.css'

interface Props {
  readonly project: Project
  /** What the table is about, for those who do not see it. */
  readonly label: string
  readonly calls: readonly (CallFacts | undefined)[]
  /** Of whole traces: how many calls each has. */
  readonly sizes?: readonly (number | undefined)[]
  /** Where calls can be taken out of the comparison, or be made the one that the others are measured by. */
  readonly onRemove?: (n: number) => void
  readonly onFirst?: (n: number) => void
}

/** The numbers of calls side by side, each with how far it is from the first. */
export function FactsTable({ project, label, calls, sizes, onRemove, onFirst }: Props) {
  const [base] = calls
  const row = (name: string, cell: (call: CallFacts, n: number) => ReactNode): ReactNode => (
    <tr>
      <th scope="row">{name}</th>
      {calls.map((call, n) => (
        <td key={n}>{call === undefined ? <span className={styles.none}>–</span> : cell(call, n)}</td>
      ))}
    </tr>
  )
  const has = (known: (call: CallFacts) => boolean): boolean =>
    calls.some((call) => call !== undefined && known(call))
  return (
    <div className={styles.scroller} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table} style={{ '--calls': calls.length } as CSSProperties}>
        <thead>
          <tr>
            <td />
            {calls.map((call, n) => (
              <th key={n} scope="col">
                <div className={styles.head}>
                  <span className={styles.letter} data-letter={letterOf(n)}>
                    {letterOf(n)}
                  </span>
                  {call === undefined ? (
                    <span className={styles.none}>not there</span>
                  ) : (
                    <CallHead project={project} call={call} />
                  )}
                  {n > 0 && onFirst !== undefined && (
                    <Tooltip label="Measure the others by this one">
                      <ActionIcon
                        size={22}
                        aria-label={`Measure by ${letterOf(n)}`}
                        onClick={() => onFirst(n)}
                      >
                        <Icon name="chevronLeft" size={12} />
                      </ActionIcon>
                    </Tooltip>
                  )}
                  {onRemove !== undefined && (
                    <Tooltip label="Take it out of the comparison">
                      <ActionIcon
                        size={22}
                        aria-label={`Take out ${letterOf(n)}`}
                        onClick={() => onRemove(n)}
                      >
                        <Icon name="close" size={12} />
                      </ActionIcon>
                    </Tooltip>
                  )}
                </div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {row('Started', (call) => (
            <time title={call.started_at}>{formatTime(call.started_at)}</time>
          ))}
          {row('Latency', (call) =>
            call.latencyMs === undefined ? (
              call.isStale ? (
                'no end'
              ) : (
                <Elapsed since={call.started_at} />
              )
            ) : (
              <Measured
                base={base?.latencyMs}
                value={call.latencyMs}
                text={formatDuration(call.latencyMs)}
                unit="duration"
                isBase={call === base}
              />
            ),
          )}
          {has(({ tokens }) => tokens !== undefined) &&
            row('Tokens', (call) =>
              call.tokens === undefined ? (
                <span className={styles.none}>–</span>
              ) : (
                <Measured
                  base={base?.tokens?.total}
                  value={call.tokens.total}
                  text={`${formatCount(call.tokens.input)} → ${formatCount(call.tokens.output)}`}
                  unit="count"
                  isBase={call === base}
                />
              ),
            )}
          {has(({ cost, unpriced }) => cost !== undefined || unpriced.length > 0) &&
            row('Cost', (call) =>
              call.cost === undefined ? (
                <span className={styles.none} title={call.unpriced.join(', ')}>
                  {call.unpriced.length > 0 ? 'no price' : '–'}
                </span>
              ) : (
                <Measured
                  base={base?.cost}
                  value={call.cost}
                  text={`${call.unpriced.length > 0 ? '≥ ' : ''}${formatCost(call.cost)}`}
                  unit="cost"
                  isBase={call === base}
                />
              ),
            )}
          {has(({ models }) => models.length > 0) &&
            row('Model', (call) => (
              <span className={`${styles.model} foreign`}>{visibleText(call.models.join(', '))}</span>
            ))}
          {sizes !== undefined &&
            row('Calls', (call, n) => (
              <Measured
                base={sizes[0]}
                value={sizes[n]}
                text={formatCount(sizes[n] ?? 0)}
                unit="count"
                isBase={call === base}
                isNeutral
              />
            ))}
        </tbody>
      </table>
    </div>
  )
}

function CallHead({ project, call }: { readonly project: Project; readonly call: CallFacts }) {
  return (
    <>
      <span title={STATUS_WORDS[call.status]}>
        <StatusMark status={call.status} isStale={call.isStale} />
      </span>
      <Link
        className={`${styles.name} foreign`}
        to="/$entity/$project/weave/calls/$call_id"
        params={{ ...inPath(project), call_id: call.id }}
        search={{}}
        title={`Open the trace of ${call.id}`}
      >
        {call.name}
      </Link>
    </>
  )
}

interface MeasuredProps {
  readonly base: number | undefined
  readonly value: number | undefined
  readonly text: string
  readonly unit: Unit
  readonly isBase: boolean
  /** More of it is neither better nor worse. */
  readonly isNeutral?: boolean
}

function Measured({ base, value, text, unit, isBase, isNeutral = false }: MeasuredProps) {
  const difference = isBase ? undefined : differenceOf(base, value, unit)
  return (
    <>
      {text}
      {difference !== undefined && (
        <span className={styles.difference} data-tone={isNeutral ? 'same' : difference.tone}>
          {difference.text}
        </span>
      )}
    </>
  )
}
