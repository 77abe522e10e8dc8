import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { CostTerms } from '../costs/cost-terms.tsx'
import { Failure } from '../ui/failure.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './cost-view.module.css'

/** What a call cost, with the sum written out: tokens times the price that was in force. */
export function CostView({ project, callId }: { readonly project: Project; readonly callId: string }) {
  const cost = useQuery({
    queryKey: ['cost', project.project_id, callId],
    queryFn: ({ signal }) => api.call('call_cost', { ...inPath(project), call_id: callId }, signal),
  })
  if (cost.isError) return <Failure error={cost.error} retry={() => void cost.refetch()} />
  if (cost.data === undefined) return <p className={styles.faint}>Adding up…</p>
  const { terms, unpriced, reported } = cost.data
  if (terms.length === 0 && unpriced.length === 0) {
    return <p className={styles.faint}>This call has told no usage, so that there is nothing to price.</p>
  }
  return (
    <div className={styles.view}>
      {unpriced.length > 0 && (
        <p className={styles.missing}>
          No price is known for {unpriced.map(({ model }) => visibleText(model)).join(', ')}: what it cost is
          not in the sum.
        </p>
      )}
      {terms.length > 0 && <CostTerms costs={cost.data} />}
      {reported !== null && (
        <p className={styles.faint}>
          The program itself reported {reported.cost.text} USD: {reported.difference.text} USD from what the
          prices say.
        </p>
      )}
    </div>
  )
}
