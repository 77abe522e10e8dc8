import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { inPath, useProject } from '../api/project.ts'
import { readIds } from '../compare/compare-search.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useTitle } from '../ui/use-title.ts'
import type { CompareRunsSearch } from './evaluations-search.ts'
import styles from './results-page.module.css'
import { ResultsView } from './results-view.tsx'
import { useResults } from './use-results.ts'

const HERE = '/$entity/$project/weave/compare-evaluations'

/** Runs of evaluations side by side: examples × runs, regressions first. */
export function CompareRunsPage() {
  const project = useProject()
  useTitle('Compare evaluations', project.project_id)
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const ids = useMemo(() => readIds(search.runs), [search.runs])
  const results = useResults(project, ids)
  const change = (next: { [Key in keyof CompareRunsSearch]: CompareRunsSearch[Key] | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...next }) as CompareRunsSearch, replace: true })
  const toList = (): void =>
    void navigate({
      to: '/$entity/$project/weave/evaluations',
      params: inPath(project),
      search: ids.length === 0 ? {} : { selected: ids.join(',') },
    })
  useShortcuts('Evaluations', [{ keys: 'Escape', label: 'To the list of runs', run: toList }])
  return (
    <div className={styles.page}>
      <PageHead title="Compare evaluations" about={ids.length > 1 && `${ids.length} runs, measured by A`}>
        <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={toList}>
          Choose runs
        </Button>
      </PageHead>
      {ids.length === 0 ? (
        <Empty
          icon="evaluations"
          title="No runs to compare"
          actions={
            <Button
              className={styles.link}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/$entity/$project/weave/evaluations"
                  params={inPath(project)}
                  search={{}}
                />
              )}
            >
              To the runs
            </Button>
          }
        >
          Select two or more runs in the list of evaluations (X) and compare them (C).
        </Empty>
      ) : (
        <ResultsView
          project={project}
          results={results}
          runIds={ids}
          search={search}
          onFirst={(n) => change({ runs: [ids[n], ...ids.filter((_, i) => i !== n)].join(',') })}
          onChange={change}
        />
      )}
    </div>
  )
}
