import { useQuery } from '@tanstack/react-query'
import type { ScoreAgreement } from '../../contract/queues/queue-results.ts'
import { useSpecs } from '../annotation/use-specs.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { formatNumber } from '../ui/format.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { SimpleTable } from '../ui/simple-table.tsx'
import { visibleText } from '../ui/visible-text.ts'
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
    <Dialog title="Reviewer agreement" isOpen={queue !== undefined} onClose={onClose} size="lg">
      {queue !== undefined && <Agreement project={project} queue={queue} />}
    </Dialog>
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
    <div className="stack gap-12">
      <p className="faint">
        Of the calls that two or more reviewers scored: how often two of them gave the same value, and a
        coefficient that corrects for chance (1 is perfect agreement, 0 is chance).
      </p>
      {shown.length === 0 ? (
        <p>No call of this queue has the same score from two reviewers yet.</p>
      ) : (
        <SimpleTable
          caption="Agreement by score"
          rows={shown}
          rowKey={({ score }) => score}
          columns={[
            {
              label: 'Score',
              isRowHeader: true,
              cell: ({ score }) => (
                <span className="isolate">{visibleText(specOf(score)?.name ?? score)}</span>
              ),
            },
            { label: 'Calls', cell: ({ items }) => items },
            { label: 'Reviewers', cell: ({ reviewers }) => reviewers },
            { label: 'Same value', cell: (row) => percent(row.percent_agreement) },
            { label: 'Coefficient', cell: coefficient },
          ]}
        />
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
