import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { formatTime } from '../time/format.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { SimpleTable } from '../ui/simple-table.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { RunLink } from './run-link.tsx'
import viewStyles from './run-views.module.css'

type Gate = BrowserResponse<'evaluation_gates'>['gates'][number]
type Verdict = Gate['result']['verdict']

const VERDICTS: Readonly<Record<Verdict, { readonly text: string; readonly tone: string }>> = {
  pass: { text: 'Pass', tone: 'better' },
  fail: { text: 'Fail', tone: 'worse' },
  not_enough_data: { text: 'Not enough data', tone: 'same' },
}

/** The pinned baselines, and what `heddle gate` decided in CI. */
export function GatesView({ project }: { readonly project: Project }) {
  const gates = useQuery({
    queryKey: ['gates', project.project_id],
    queryFn: ({ signal }) => api.call('evaluation_gates', projectParams(project), signal),
  })
  const baselines = useQuery({
    queryKey: ['baselines', project.project_id],
    queryFn: ({ signal }) => api.call('evaluation_baselines', projectParams(project), signal),
  })
  const error = gates.error ?? baselines.error
  if (error !== null)
    return (
      <ErrorNotice error={error} retry={() => void Promise.all([gates.refetch(), baselines.refetch()])} />
    )
  if (gates.data === undefined || baselines.data === undefined)
    return (
      <p className="loading" role="status">
        Loading gates…
      </p>
    )
  if (gates.data.gates.length === 0 && baselines.data.baselines.length === 0)
    return (
      <EmptyState icon="evaluations" title="No gates yet">
        A gate decides in CI whether a run is as good as a baseline. Open a run and make it the baseline of
        its evaluation, then run <code>heddle gate {project.project_id} --run NAME</code>.
      </EmptyState>
    )
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Gates">
      <div className={viewStyles.content}>
        <h2>Decisions</h2>
        <SimpleTable
          caption="Decisions of gates"
          isFramed
          rows={gates.data.gates}
          rowKey={(_, i) => i}
          columns={[
            { label: 'Verdict', cell: ({ result }) => <VerdictText verdict={result.verdict} /> },
            {
              label: 'Run',
              isRowHeader: true,
              cell: ({ result }) => <RunLink id={result.run}>{visibleText(result.run_name)}</RunLink>,
            },
            {
              label: 'Baseline',
              cell: ({ result }) => (
                <RunLink id={result.baseline}>{visibleText(result.baseline_name)}</RunLink>
              ),
            },
            { label: 'Reason', cell: ({ result }) => <Reasons result={result} /> },
            { label: 'When', cell: ({ at }) => <time title={at}>{formatTime(at)}</time> },
            { label: 'By', cell: ({ user }) => <span className="isolate">{visibleText(user)}</span> },
          ]}
        />
        <h2>Baselines</h2>
        <SimpleTable
          caption="Baselines"
          isFramed
          rows={baselines.data.baselines}
          rowKey={(_, i) => i}
          isCurrent={(each) =>
            each === baselines.data.baselines.find(({ evaluation }) => evaluation === each.evaluation)
          }
          columns={[
            {
              label: 'Evaluation',
              isRowHeader: true,
              cell: ({ evaluation }) => <span className="isolate">{visibleText(evaluation)}</span>,
            },
            { label: 'Run', cell: ({ run }) => <RunLink id={run}>{visibleText(run)}</RunLink> },
            { label: 'Since', cell: ({ at }) => <time title={at}>{formatTime(at)}</time> },
            { label: 'By', cell: ({ user }) => <span className="isolate">{visibleText(user)}</span> },
          ]}
        />
      </div>
    </div>
  )
}

function VerdictText({ verdict }: { readonly verdict: Verdict }) {
  const { text, tone } = VERDICTS[verdict]
  return (
    <span className="difference" data-tone={tone}>
      {text}
    </span>
  )
}

/** The checks that did not pass; all of them if the gate passed. */
function Reasons({ result: { checks, verdict, quarantined } }: Pick<Gate, 'result'>) {
  const shown = verdict === 'pass' ? checks : checks.filter((check) => check.verdict !== 'pass')
  return (
    <ul>
      {shown.map(({ score, rule, text, low, high }) => (
        <li key={`${score} ${rule}`} title={low === null ? undefined : `interval ${low} to ${high}`}>
          <span className="isolate">{visibleText(score)}</span>: {visibleText(text)}
        </li>
      ))}
      {quarantined > 0 && <li className="faint">{quarantined} examples in quarantine</li>}
    </ul>
  )
}
