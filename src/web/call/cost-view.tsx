import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCost } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { CostTerms } from './cost-terms.tsx'

/** The cost of a call, with the calculation: tokens times the price in effect when the call started. */
export function CostView({ project, callId }: { readonly project: Project; readonly callId: string }) {
  const cost = useQuery({
    queryKey: ['cost', project.project_id, callId],
    queryFn: ({ signal }) => api.call('call_cost', { ...projectParams(project), call_id: callId }, signal),
  })
  if (cost.isError) return <ErrorNotice error={cost.error} retry={() => void cost.refetch()} />
  if (cost.data === undefined) return <p className="faint">Loading…</p>
  const { terms, unpriced, reported } = cost.data
  if (terms.length === 0 && unpriced.length === 0) {
    return <p className="faint">This call reported no token usage.</p>
  }
  return (
    <div className="stack gap-12">
      {unpriced.length > 0 && (
        <p className="note warn">
          No price for {unpriced.map(({ model }) => visibleText(model)).join(', ')}. The total does not
          include it.
        </p>
      )}
      {terms.length > 0 && <CostTerms costs={cost.data} />}
      {reported !== null && (
        <p className="faint">
          The client reported{' '}
          <span title={`${reported.cost.text} USD`}>{formatCost(Number(reported.cost.text))}</span>, a
          difference of{' '}
          <span title={`${reported.difference.text} USD`}>
            {formatCost(Number(reported.difference.text))}
          </span>{' '}
          to the calculation.
        </p>
      )}
    </div>
  )
}
