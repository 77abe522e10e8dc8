import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ScoreAgreement } from '../../contract/queues/queue-results.ts'
import { useSpecs } from '../annotation/use-specs.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { formatNumber } from '../ui/format.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './agreement-dialog.module.css'
import type { Queue } from './use-queues.ts'

interface Props {
  readonly project: Project
  /** The queue whose reviewers are compared; undefined while the dialog is closed. */
  readonly queue: Queue | undefined
  readonly onClose: () => void
}

/** The dialog that shows how far the reviewers of a queue agree, by score. */
export function AgreementDialog({ project, queue, onClose }: Props) {
  return (
    <Modal opened={queue !== undefined} onClose={onClose} title="Reviewer agreement" size="lg">
      {queue !== undefined && <Agreement project={project} queue={queue} />}
    </Modal>
  )
}

function Agreement({ project, queue }: { readonly project: Project; readonly queue: Queue }) {
  const specs = useSpecs(project)
  const agreement = useQuery({
    queryKey: ['agreement', project.project_id, queue.id],
    queryFn: ({ signal }) =>
      api.call('queue_agreement', { ...projectParams(project), queue_id: queue.id }, signal),
    gcTime: 0,
  })
  if (agreement.isError) return <ErrorNotice error={agreement.error} retry={() => void agreement.refetch()} />
  if (agreement.data === undefined || specs.data === undefined) return <p role="status">Comparing…</p>
  const specOf = (score: string) => specs.data.find(({ object_id }) => object_id === score)
  // Nobody repeats a text literally.
  const shown = agreement.data.scores.filter(
    ({ score, items }) => items > 0 && !['text', 'json'].includes(specOf(score)?.field.kind ?? ''),
  )
  return (
    <div className={styles.content}>
      <p className={styles.hint}>
        Of the calls that two or more reviewers scored: how often two of them gave the same value, and a
        coefficient that corrects for chance (1 is perfect agreement, 0 is chance).
      </p>
      {shown.length === 0 ? (
        <p>No call of this queue has the same score from two reviewers yet.</p>
      ) : (
        <table className={styles.table}>
          <caption className="visually-hidden">Agreement by score</caption>
          <thead>
            <tr>
              <th scope="col">Score</th>
              <th scope="col">Calls</th>
              <th scope="col">Reviewers</th>
              <th scope="col">Same value</th>
              <th scope="col">Coefficient</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.score}>
                <th scope="row">
                  <span className="isolate">{visibleText(specOf(row.score)?.name ?? row.score)}</span>
                </th>
                <td>{row.items}</td>
                <td>{row.reviewers}</td>
                <td>{percent(row.percent_agreement)}</td>
                <td>{coefficient(row)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

function percent(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`
}

function coefficient({ cohen_kappa, krippendorff_alpha, level }: ScoreAgreement): string {
  if (cohen_kappa !== null) return `${formatNumber(cohen_kappa)} (Cohen’s κ)`
  if (krippendorff_alpha === null) return 'All values are equal'
  const scale = level === 'interval' ? ', interval' : ''
  return `${formatNumber(krippendorff_alpha)} (Krippendorff’s α${scale})`
}
