import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { lazyComponent } from '../loading/lazy-component.ts'
import { projectParams, useProject } from '../api/project.ts'
import { MAX_COMPARED as MAX_RUNS, parseIds } from '../compare/compared-ids.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { TabView } from '../ui/tab-view.tsx'
import { toggled } from '../ui/toggled.ts'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { FloatingBar } from '../ui/floating-bar.tsx'
import styles from './evaluations-page.module.css'
import { RunTable } from './run-table.tsx'
import { useRuns } from './use-runs.ts'
import { useChangeSearch } from '../use-change-search.ts'

const TrendsView = lazyComponent(() => import('./trends-view.tsx'), 'TrendsView')
const ScatterView = lazyComponent(() => import('./scatter-view.tsx'), 'ScatterView')
const LeaderboardView = lazyComponent(() => import('./leaderboard-view.tsx'), 'LeaderboardView')
const JudgesView = lazyComponent(() => import('./judges-view.tsx'), 'JudgesView')
const GatesView = lazyComponent(() => import('./gates-view.tsx'), 'GatesView')

/** The views of the runs. Judges and gates need none. */
const RUN_VIEWS = [
  { value: 'runs', label: 'Runs' },
  { value: 'trends', label: 'Trends' },
  { value: 'scatter', label: 'Scatter' },
  { value: 'leaderboard', label: 'Leaderboard' },
  { value: 'judges', label: 'Judges' },
  { value: 'gates', label: 'Gates' },
] as const

const HERE = '/$entity/$project/weave/evaluations'

/** Evaluation runs as a list, newest first, as trends, as scatter plot and as leaderboard. Runs can be compared. */
export function EvaluationsPage() {
  const project = useProject()
  useDocumentTitle('Evaluations', project.project_id)
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const change = useChangeSearch('evaluations', { replace: true })
  const view = RUN_VIEWS.find(({ value }) => value === search.view)?.value ?? 'runs'
  const isOfProject = view === 'judges' || view === 'gates'
  const { list, runs, counts, isComplete } = useRuns(
    project,
    { evaluation: search.evaluation },
    !isOfProject && view !== 'runs',
  )
  const selected = useMemo(() => parseIds(search.selected), [search.selected])
  /** Charts and leaderboard show the selected runs, or all. */
  const shown = useMemo(
    () => (selected.length === 0 ? runs : runs.filter(({ id }) => selected.includes(id))),
    [runs, selected],
  )
  const [cursor, setCursor] = useState<string>()
  /** Keeps the order of selection: of too many runs the last ones stay. */
  const select = (next: ReadonlySet<string>): void => {
    const ids = [...new Set([...selected, ...next])].filter((id) => next.has(id))
    change({ selected: ids.length === 0 ? undefined : ids.slice(-MAX_RUNS).join(',') })
  }
  const showEvaluation = useCallback((evaluation: string) => change({ evaluation }), [change])
  const open = (id: string): void =>
    void navigate({
      to: '/$entity/$project/weave/evaluations/$call_id',
      params: { ...projectParams(project), call_id: id },
      search: {},
    })
  const compare = (): void => {
    if (selected.length < 2) return
    void navigate({
      to: '/$entity/$project/weave/compare-evaluations',
      params: projectParams(project),
      search: { runs: selected.join(',') },
    })
  }
  const move = (step: number): void => {
    const at = runs.findIndex(({ id }) => id === cursor)
    setCursor(runs[Math.max(0, Math.min(runs.length - 1, at === -1 ? 0 : at + step))]?.id)
  }
  const listShortcuts = [
    { keys: 'j ArrowDown', label: 'Next run', run: () => move(1) },
    { keys: 'k ArrowUp', label: 'Previous run', run: () => move(-1) },
    { keys: 'Enter', label: 'Open run', run: () => cursor !== undefined && open(cursor) },
    {
      keys: 'x',
      label: 'Select run',
      run: () => cursor !== undefined && select(toggled(selected, cursor)),
    },
  ]
  useShortcuts('Evaluations', [
    ...(view === 'runs' ? listShortcuts : []),
    { keys: 'c', label: 'Compare selected runs', run: compare },
    { keys: 'Escape', label: 'Clear selection', run: () => change({ selected: undefined }) },
  ])
  return (
    <Page>
      <PageHeader title="Evaluations" summary={aboutText(runs.length, list.hasNextPage, list.isPending)}>
        {search.evaluation !== undefined && (
          <button
            type="button"
            className={styles.chip}
            aria-label={`Remove filter: evaluation = ${search.evaluation}`}
            onClick={() => change({ evaluation: undefined })}
          >
            evaluation = <span className="isolate">{visibleText(search.evaluation)}</span>
            <Icon name="close" size={12} />
          </button>
        )}
      </PageHeader>
      <div className="column">
        {list.isError && runs.length === 0 ? (
          <ErrorNotice error={list.error} retry={() => void list.refetch()} />
        ) : list.isSuccess && runs.length === 0 && !isOfProject ? (
          <NoRuns evaluation={search.evaluation} onClear={() => change({ evaluation: undefined })} />
        ) : (
          <TabView
            label="Views of the runs"
            tabs={RUN_VIEWS}
            value={view}
            onChange={(value) => change({ view: value === 'runs' ? undefined : value })}
            panelClassName="column"
            isPanelFocusable={false}
          >
            {view === 'runs' ? (
              <RunTable
                runs={runs}
                counts={counts}
                cursor={cursor}
                selected={new Set(selected)}
                onCursor={setCursor}
                onOpen={open}
                onSelect={select}
                onEvaluation={showEvaluation}
                pages={list}
              />
            ) : isOfProject ? (
              <Suspense fallback={null}>
                {view === 'judges' ? (
                  <JudgesView project={project} search={search} onChange={change} />
                ) : (
                  <GatesView project={project} />
                )}
              </Suspense>
            ) : !isComplete ? (
              <p className="loading" role="status">
                Loading runs… {formatCount(runs.length)}
              </p>
            ) : (
              <Suspense fallback={null}>
                {view === 'trends' && (
                  <TrendsView runs={shown} search={search} onChange={change} onOpen={open} />
                )}
                {view === 'scatter' && (
                  <ScatterView runs={shown} search={search} onChange={change} onOpen={open} />
                )}
                {view === 'leaderboard' && <LeaderboardView runs={shown} search={search} onChange={change} />}
              </Suspense>
            )}
          </TabView>
        )}
        {selected.length > 0 && (
          <FloatingBar
            label="Selected runs"
            text={`${selected.length === 1 ? '1 run' : `${selected.length} runs`} selected`}
          >
            <ActionButton variant="subtle" icon="compare" disabled={selected.length < 2} onClick={compare}>
              {selected.length < 2 ? 'Select another to compare' : 'Compare'}
            </ActionButton>
            <Button variant="subtle" color="gray" onClick={() => change({ selected: undefined })}>
              Clear
            </Button>
          </FloatingBar>
        )}
      </div>
    </Page>
  )
}

function aboutText(count: number, isMore: boolean, isPending: boolean): string {
  if (isPending) return ''
  const runs = count === 1 ? '1 run' : `${formatCount(count)} runs`
  return isMore ? `latest ${runs}` : runs
}

function NoRuns(props: { readonly evaluation: string | undefined; readonly onClear: () => void }) {
  const project = useProject()
  if (props.evaluation !== undefined) {
    return (
      <EmptyState
        icon="evaluations"
        title={`No runs of ${props.evaluation}`}
        actions={<Button onClick={props.onClear}>Show all evaluations</Button>}
      >
        Other evaluations may have runs.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="evaluations"
      title="No evaluations yet"
      actions={
        <LinkButton to="/$entity/$project/weave/setup" params={projectParams(project)}>
          Set up tracing
        </LinkButton>
      }
    >
      An evaluation scores a model on every example of a dataset. After you set up tracing, run one:{' '}
      <code>weave.Evaluation(dataset=…, scorers=[…]).evaluate(model)</code>. Runs appear here and can be
      compared example by example.
    </EmptyState>
  )
}
