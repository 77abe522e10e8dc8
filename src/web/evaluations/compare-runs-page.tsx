import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { projectParams, useProject } from '../api/project.ts'
import { parseIds } from '../compare/compare-search.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import type { CompareRunsSearch } from './evaluations-search.ts'
import styles from './results-page.module.css'
import { ResultsView } from './results-view.tsx'
import { useResults } from './use-results.ts'

const HERE = '/$entity/$project/weave/compare-evaluations'

/** Compares evaluation runs side by side: examples × runs, regressions first. */
export function CompareRunsPage() {
  const project = useProject()
  useDocumentTitle('Compare evaluations', project.project_id)
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const ids = useMemo(() => parseIds(search.runs), [search.runs])
  const results = useResults(project, ids, search.baseline)
  const change = (next: { [Key in keyof CompareRunsSearch]: CompareRunsSearch[Key] | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...next }) as CompareRunsSearch, replace: true })
  const toList = (): void =>
    void navigate({
      to: '/$entity/$project/weave/evaluations',
      params: projectParams(project),
      search: ids.length === 0 ? {} : { selected: ids.join(',') },
    })
  useShortcuts('Evaluations', [{ keys: 'Escape', label: 'Back to runs', run: toList }])
  return (
    <div className={styles.page}>
      <PageHeader title="Compare evaluations" summary={ids.length > 1 && `${ids.length} runs · Baseline: A`}>
        <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={toList}>
          Select runs
        </Button>
      </PageHeader>
      {ids.length === 0 ? (
        <EmptyState
          icon="evaluations"
          title="No runs to compare"
          actions={
            <Button
              className={styles.link}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/$entity/$project/weave/evaluations"
                  params={projectParams(project)}
                  search={{}}
                />
              )}
            >
              View runs
            </Button>
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
    </div>
  )
}
