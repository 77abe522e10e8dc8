import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { toNumber, traceTokens } from '../call/call-list-item.ts'
import { EndUserLink } from '../call/end-user-link.tsx'
import { exactCost, formatCompact, formatCount, formatKnownCost } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import styles from './trace-summary.module.css'

interface Props {
  readonly project: Project
  /** Any call of the trace. */
  readonly callId: string
  readonly traceId: string
  readonly isRunning: boolean
}

/** How often the totals of a running trace are read again. */
const REFETCH_MS = 5_000

/** Totals of a trace in its header: tokens, cost, errors, end user, session, environment, tags. */
export function TraceSummary({ project, callId, traceId, isRunning }: Props) {
  const { data } = useQuery({
    queryKey: ['trace totals', project.project_id, traceId, isRunning],
    queryFn: async ({ signal }) => {
      const { calls } = await api.call(
        'project_calls',
        {
          ...projectParams(project),
          filter: { call_ids: [callId] },
          columns: ['id'],
          include_trace_totals: true,
          limit: 1,
        },
        signal,
      )
      return calls[0]?.trace_totals ?? null
    },
    refetchInterval: isRunning && REFETCH_MS,
  })
  if (data === undefined || data === null) return null
  const tokens = traceTokens(data)
  const cost = toNumber(data.cost)
  const costText = formatKnownCost(cost, data.unpriced.length > 0)
  return (
    <dl className={styles.totals} aria-label="Totals of the trace">
      {tokens !== undefined && (
        <Total name="Tokens">
          <span title={`${formatCount(tokens.input)} in, ${formatCount(tokens.output)} out`}>
            {formatCompact(tokens.total)}
          </span>
        </Total>
      )}
      {costText !== undefined && (
        <Total name="Cost">
          <span title={cost === undefined ? undefined : exactCost(cost)}>{costText}</span>
        </Total>
      )}
      {data.errors > 0 && (
        <Total name="Errors">
          <span className="bad">{formatCount(data.errors)}</span>
        </Total>
      )}
      {data.end_user !== null && (
        <Total name="End user">
          <EndUserLink project={project} endUser={data.end_user} />
        </Total>
      )}
      {data.session !== null && <Total name="Session">{visibleText(data.session)}</Total>}
      {data.environment !== null && <Total name="Environment">{visibleText(data.environment)}</Total>}
      {data.tags.length > 0 && <Total name="Tags">{visibleText(data.tags.join(', '))}</Total>}
    </dl>
  )
}

function Total({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className={styles.total}>
      <dt>{name}</dt>
      <dd className="isolate">{children}</dd>
    </div>
  )
}
