import { Link } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'
import { projectParams, type Project } from '../api/project.ts'
import type { CallListItem } from '../call/call-list-item.ts'
import { Elapsed } from '../call/elapsed.tsx'
import { StatusIcon } from '../call/status-icon.tsx'
import { STATUS_LABELS } from '../call/status.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { exactCost, formatCount, formatDuration, formatKnownCost } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatTime } from '../time/format.ts'
import { columnLetter } from './compared-ids.ts'
import { formatDifference, type Unit } from './difference.ts'
import styles from './metrics-table.module.css'

interface Props {
  readonly project: Project
  /** Accessible name of the table. */
  readonly label: string
  readonly calls: readonly (CallListItem | undefined)[]
  /** Number of calls in each trace. Only for whole traces. */
  readonly sizes?: readonly (number | undefined)[]
  /** Both are absent where the set of compared calls cannot be changed. */
  readonly onRemove?: (n: number) => void
  readonly onSetBaseline?: (n: number) => void
}

/** Metrics of the compared calls side by side, with the difference from the baseline. */
export function MetricsTable({ project, label, calls, sizes, onRemove, onSetBaseline }: Props) {
  const [base] = calls
  const row = (name: string, cell: (call: CallListItem, n: number) => ReactNode): ReactNode => (
    <tr>
      <th scope="row">{name}</th>
      {calls.map((call, n) => (
        <td key={n}>{call === undefined ? <span className="faint">–</span> : cell(call, n)}</td>
      ))}
    </tr>
  )
  const some = (test: (call: CallListItem) => boolean): boolean =>
    calls.some((call) => call !== undefined && test(call))
  return (
    <div className={styles.scroller} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table} style={{ '--calls': calls.length } as CSSProperties}>
        <thead>
          <tr>
            <td />
            {calls.map((call, n) => (
              <th key={n} scope="col">
                <div className={styles.head}>
                  <span className="letter" data-base={n === 0 || undefined}>
                    {columnLetter(n)}
                  </span>
                  {call === undefined ? (
                    <span className="faint">missing</span>
                  ) : (
                    <CallHead project={project} call={call} />
                  )}
                  {n > 0 && onSetBaseline !== undefined && (
                    <IconButton
                      icon="chevronLeft"
                      label={`Use ${columnLetter(n)} as baseline`}
                      tooltip="Use as baseline"
                      size={22}
                      onClick={() => onSetBaseline(n)}
                    />
                  )}
                  {onRemove !== undefined && (
                    <IconButton
                      icon="close"
                      label={`Remove ${columnLetter(n)}`}
                      tooltip="Remove from comparison"
                      size={22}
                      onClick={() => onRemove(n)}
                    />
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
                <span title="No end received">no end</span>
              ) : (
                <Elapsed since={call.started_at} />
              )
            ) : (
              <MetricCell
                base={base?.latencyMs}
                value={call.latencyMs}
                text={formatDuration(call.latencyMs)}
                unit="duration"
                isBase={call === base}
              />
            ),
          )}
          {some(({ tokens }) => tokens !== undefined) &&
            row('Tokens', (call) =>
              call.tokens === undefined ? (
                <span className="faint">–</span>
              ) : (
                <MetricCell
                  base={base?.tokens?.total}
                  value={call.tokens.total}
                  text={`${formatCount(call.tokens.input)} → ${formatCount(call.tokens.output)}`}
                  unit="count"
                  isBase={call === base}
                />
              ),
            )}
          {some(({ cost, unpriced }) => cost !== undefined || unpriced.length > 0) &&
            row('Cost', (call) =>
              call.cost === undefined ? (
                <span className="faint" title={call.unpriced.join(', ')}>
                  {call.unpriced.length > 0 ? 'no price' : '–'}
                </span>
              ) : (
                <MetricCell
                  // The difference of lower bounds says nothing.
                  base={isPartial(base) || isPartial(call) ? undefined : base?.cost}
                  value={call.cost}
                  text={formatKnownCost(call.cost, isPartial(call)) ?? ''}
                  title={exactCost(call.cost)}
                  unit="cost"
                  isBase={call === base}
                />
              ),
            )}
          {some(({ models }) => models.length > 0) &&
            row('Model', (call) => (
              <span className={`${styles.model} isolate`}>{visibleText(call.models.join(', '))}</span>
            ))}
          {sizes !== undefined &&
            row('Calls', (call, n) => (
              <MetricCell
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

function isPartial(call: CallListItem | undefined): boolean {
  return call !== undefined && call.unpriced.length > 0
}

function CallHead({ project, call }: { readonly project: Project; readonly call: CallListItem }) {
  return (
    <>
      <span title={STATUS_LABELS[call.status]}>
        <StatusIcon status={call.status} isStale={call.isStale} />
      </span>
      <Link
        className={`${styles.name} isolate`}
        to="/$entity/$project/weave/calls/$call_id"
        params={{ ...projectParams(project), call_id: call.id }}
        search={{}}
        title={`Open trace of call ${call.id}`}
      >
        {call.name}
      </Link>
    </>
  )
}

interface MetricCellProps {
  readonly base: number | undefined
  readonly value: number | undefined
  readonly text: string
  /** The exact value. */
  readonly title?: string
  readonly unit: Unit
  readonly isBase: boolean
  /** A change is neither better nor worse. */
  readonly isNeutral?: boolean
}

function MetricCell({ base, value, text, title, unit, isBase, isNeutral = false }: MetricCellProps) {
  const difference = isBase ? undefined : formatDifference(base, value, unit)
  return (
    <>
      <span title={title}>{text}</span>
      {difference !== undefined && (
        <span
          className={`${styles.difference} difference hint`}
          data-tone={isNeutral ? 'same' : difference.tone}
        >
          {difference.text}
        </span>
      )}
    </>
  )
}
