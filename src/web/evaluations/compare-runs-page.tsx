import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { projectParams, useProject } from '../api/project.ts'
import { parseIds } from '../compare/compared-ids.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { ResultsView } from './results-view.tsx'
import { useResults } from './use-results.ts'
import { useChangeSearch } from '../use-change-search.ts'

const HERE = '/$entity/$project/weave/compare-evaluations'

/** Compares evaluation runs side by side: examples × runs, regressions first. */
export function CompareRunsPage() {
  const project = useProject()
  useDocumentTitle('Compare evaluations', project.project_id)
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const ids = useMemo(() => parseIds(search.runs), [search.runs])
  const results = useResults(project, ids, search.baseline)
  const change = useChangeSearch('compareRuns', { replace: true })
  const toList = (): void =>
    void navigate({
      to: '/$entity/$project/weave/evaluations',
      params: projectParams(project),
      search: ids.length === 0 ? {} : { selected: ids.join(',') },
    })
  useShortcuts('Evaluations', [{ keys: 'Escape', label: 'Back to runs', run: toList }])
  return (
    <Page isSurface>
      <PageHeader title="Compare evaluations" summary={ids.length > 1 && `${ids.length} runs · Baseline: A`}>
        <ActionButton variant="default" icon="plus" onClick={toList}>
          Select runs
        </ActionButton>
      </PageHeader>
      {ids.length === 0 ? (
        <EmptyState
          icon="evaluations"
          title="No runs to compare"
          actions={
            <LinkButton to="/$entity/$project/weave/evaluations" params={projectParams(project)} search={{}}>
              View runs
            </LinkButton>
          }
        >
          Select two or more runs in the evaluations list (X), then compare them (C).
        </EmptyState>
      ) : (
        <ResultsView
          project={project}
          results={results}
          search={search}
          onSetBaseline={(n) => change({ baseline: results.runs?.[n]?.id })}
          onChange={change}
        />
      )}
    </Page>
  )
}
