import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import type { BrowserResponse } from '../../client/browser/client.ts'
import gridStyles from '../ui/data-grid/data-grid.module.css'
import { ActionButton } from '../ui/action-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount, formatNumber, formatPercent } from '../ui/format.ts'
import { SimpleTable } from '../ui/simple-table.tsx'
import { visibleText } from '../ui/visible-text.ts'

type Report = BrowserResponse<'scorer_report'>
type Quality = Report['overall']

interface Props {
  readonly project: Project
  readonly scorer: string
  readonly label: string
  readonly path: string | undefined
}

/** How far a scorer agrees with people, by version, and the calls on which they disagree. */
export function JudgeReport({ project, scorer, label, path }: Props) {
  const report = useQuery({
    queryKey: ['scorer report', project.project_id, scorer, label, path],
    queryFn: ({ signal }) =>
      api.call(
        'scorer_report',
        { ...projectParams(project), scorer, label, path: path ?? null, label_path: null },
        signal,
      ),
  })
  if (report.error !== null) return <ErrorNotice error={report.error} retry={() => void report.refetch()} />
  if (report.data === undefined)
    return (
      <p className="loading" role="status">
        Loading report…
      </p>
    )
  const { overall, versions, calibration } = report.data
  if (overall.labeled === 0)
    return (
      <p className="faint" role="note">
        No call has both a label “{visibleText(label)}” and a yes/no or number here. If the score is an
        object, name one of its fields.
      </p>
    )
  const rows = versions.length > 1 ? [overall, ...versions] : [overall]
  return (
    <section className="column" aria-label={`Report card of ${scorer}`}>
      <h2 className="isolate">Report card of {visibleText(scorer)}</h2>
      <p>{summaryText(overall)}</p>
      <SimpleTable
        caption="Agreement with people by version"
        region="Agreement with people by version"
        isFramed
        rows={rows}
        rowKey={({ version }) => version ?? ''}
        columns={[
          {
            label: 'Version',
            isRowHeader: true,
            cell: ({ version }) => (
              <span className="isolate">
                {version === null ? 'all' : visibleText(version.split(/[/]/).at(-1) ?? '')}
              </span>
            ),
          },
          { label: 'Labeled', isNumber: true, cell: ({ labeled }) => formatCount(labeled) },
          rateColumn('Agrees with people', 'agreement'),
          rateColumn('Accepts what people accept', 'sensitivity'),
          rateColumn('Rejects what people reject', 'specificity'),
          {
            label: 'Beyond chance (κ)',
            isNumber: true,
            title: ({ kappa }) => exact(kappa),
            cell: ({ kappa }) => (kappa === null ? '–' : formatNumber(kappa.value)),
          },
          rateColumn('Accepted by the scorer', 'judged'),
          {
            label: 'Corrected for its errors',
            isNumber: true,
            title: ({ corrected }) => exact(corrected),
            cell: ({ corrected }) => (corrected === null ? '–' : rangeText(corrected)),
          },
          {
            label: 'Labels for ±5 points',
            isNumber: true,
            cell: ({ labels_needed }) => labelsText(labels_needed),
          },
        ]}
      />
      {calibration !== null && <Calibration calibration={calibration} />}
      <Disagreements project={project} scorer={scorer} label={label} report={report.data} />
    </section>
  )
}

function summaryText({ agreement, kappa, corrected, judged }: Quality): string {
  const parts = [`Agrees with people on ${rangeText(agreement)} of the labeled calls`]
  if (kappa === null) parts.push('one side always says the same, so that agreement proves nothing')
  else if (kappa.low <= 0) parts.push('which chance may explain')
  const text = `${parts.join(', ')}.`
  return corrected === null || judged.value === null
    ? text
    : `${text} It accepts ${formatPercent(judged.value)} of all calls; people would accept ${rangeText(corrected)}.`
}

interface Bounds {
  readonly value: number | null
  readonly low: number
  readonly high: number
}

function rangeText({ low, high }: Bounds): string {
  return `${Math.round(low * 100)} to ${formatPercent(Math.round(high * 100) / 100)}`
}

function exact(bounds: Bounds | null): string | undefined {
  return bounds === null ? undefined : `${bounds.value}, 95 % interval ${bounds.low} to ${bounds.high}`
}

function labelsText(count: number): string {
  return count === 0 ? 'enough' : `${formatCount(count)} more`
}

function rateColumn(label: string, name: 'agreement' | 'sensitivity' | 'specificity' | 'judged') {
  return {
    label,
    isNumber: true,
    title: (row: Quality) => `${row[name].yes} of ${row[name].count}: ${exact(row[name])}`,
    cell: (row: Quality) => (row[name].value === null ? '–' : rangeText(row[name])),
  }
}

function Calibration({ calibration }: { readonly calibration: NonNullable<Report['calibration']> }) {
  return (
    <>
      <h3>Do its numbers mean what they say?</h3>
      <p className="faint">
        On average, score and accepted share are {Math.round(calibration.expected_error * 100)} points apart
        (Brier score {formatNumber(calibration.brier)}).
      </p>
      <SimpleTable
        caption="Calibration"
        isFramed
        rows={calibration.bins}
        rowKey={({ from }) => from}
        columns={[
          {
            label: 'Score',
            isRowHeader: true,
            cell: ({ from, to }) => `${formatNumber(from)} to ${formatNumber(to)}`,
          },
          { label: 'Calls', isNumber: true, cell: ({ accepted }) => formatCount(accepted.count) },
          {
            label: 'Accepted by people',
            isNumber: true,
            title: ({ accepted }) => exact(accepted),
            cell: ({ accepted }) => rangeText(accepted),
          },
        ]}
      />
    </>
  )
}

const SHOWN = 20

function Disagreements(props: {
  readonly project: Project
  readonly scorer: string
  readonly label: string
  readonly report: Report
}) {
  const { project, scorer, label, report } = props
  const navigate = useNavigate()
  const params = projectParams(project)
  const review = useMutation({
    mutationFn: async () => {
      const name = `Disagreements with ${scorer}`.slice(0, 200)
      const { id } = await api.call('queue_create', { ...params, name, scores: [label] })
      const call_ids = [...new Set(report.disagreements.map(({ call_id }) => call_id))]
      await api.call('queue_items_add', { ...params, queue_id: id, call_ids })
      return id
    },
    onSuccess: (queue_id) =>
      navigate({
        to: '/$entity/$project/weave/queues/$queue_id',
        params: { ...params, queue_id },
        search: {},
      }),
  })
  if (report.disagreements.length === 0) return <p>No disagreements.</p>
  return (
    <>
      <div className="row gap-6">
        <h3>Disagreements: {formatCount(report.disagreements.length)}</h3>
        <ActionButton
          variant="default"
          icon="queue"
          loading={review.isPending}
          onClick={() => review.mutate()}
        >
          Review them
        </ActionButton>
      </div>
      {review.error !== null && <ErrorNotice error={review.error} />}
      <SimpleTable
        caption="Disagreements"
        isFramed
        rows={report.disagreements.slice(0, SHOWN)}
        rowKey={({ call_id, version }) => `${call_id} ${version}`}
        columns={[
          {
            label: 'Call',
            isRowHeader: true,
            cell: ({ call_id }) => (
              <Link
                className={`${gridStyles.action} isolate`}
                to="/$entity/$project/weave/calls/$call_id"
                params={{ ...params, call_id }}
                search={{}}
              >
                {visibleText(call_id)}
              </Link>
            ),
          },
          { label: 'Scorer', isNumber: true, cell: ({ score }) => formatNumber(score) },
          { label: 'People', cell: ({ label: isYes }) => (isYes ? 'accept' : 'reject') },
        ]}
      />
    </>
  )
}
