import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { projectParams, useProject } from '../api/project.ts'
import { STATUS_LABELS } from '../call/status.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Icon } from '../ui/icon.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { formatTime } from '../time/format.ts'
import { BaselineButton } from './baseline-button.tsx'
import { ResultsView } from './results-view.tsx'
import { ModelName } from './run-table.tsx'
import { useResults } from './use-results.ts'
import { useChangeSearch } from '../use-change-search.ts'

const HERE = '/$entity/$project/weave/evaluations/$call_id'

/** One evaluation run: its summary and every example, worst first. */
export function RunPage() {
  const project = useProject()
  const { call_id } = useParams({ from: HERE })
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const change = useChangeSearch('results', { replace: true })
  const ids = useMemo(() => [call_id], [call_id])
  const results = useResults(project, ids)
  const run = results.runs?.[0]
  useDocumentTitle(run?.name ?? 'Evaluation', project.project_id)
  const others = { evaluation: run?.evaluation.name ?? '', selected: call_id }
  const toList = (): void =>
    void navigate({ to: '/$entity/$project/weave/evaluations', params: projectParams(project), search: {} })
  const choose = (): void =>
    void navigate({
      to: '/$entity/$project/weave/evaluations',
      params: projectParams(project),
      search: others,
    })
  useShortcuts('Evaluation', [
    { keys: 'Escape', label: 'Back to runs', run: toList },
    { keys: 'c', label: 'Compare with another run', run: choose },
  ])
  return (
    <Page isSurface>
      <PageHeader
        title={<span className="isolate">{visibleText(run?.name ?? 'Evaluation')}</span>}
        summary={
          run !== undefined && (
            <>
              <span className="isolate">{visibleText(run.evaluation.name)}</span> ·{' '}
              <ModelName model={run.model} /> · {STATUS_LABELS[run.call.status]} ·{' '}
              <time title={run.call.started_at}>{formatTime(run.call.started_at)}</time>
            </>
          )
        }
      >
        <BaselineButton project={project} run={call_id} />
        <LinkButton
          variant="default"
          leftSection={<Icon name="traces" size={14} />}
          to="/$entity/$project/weave/calls/$call_id"
          params={{ ...projectParams(project), call_id }}
          search={{}}
        >
          Trace
        </LinkButton>
        <LinkButton
          variant="default"
          leftSection={<Icon name="compare" size={14} />}
          to="/$entity/$project/weave/evaluations"
          params={projectParams(project)}
          search={others}
        >
          Compare with…
        </LinkButton>
      </PageHeader>
      <ResultsView project={project} results={results} search={search} onChange={change} />
    </Page>
  )
}
