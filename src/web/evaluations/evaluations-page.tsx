import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { projectParams, useProject } from '../api/project.ts'
import { MAX_COMPARED as MAX_RUNS, parseIds } from '../compare/compare-search.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import barStyles from '../traces/selection-bar.module.css'
import styles from './evaluations-page.module.css'
import type { EvaluationsSearch } from './evaluations-search.ts'
import { readRunPage } from './read-runs.ts'
import type { Run } from './run.ts'
import { RunTable } from './run-table.tsx'

const HERE = '/$entity/$project/weave/evaluations'
const POLL_INTERVAL_MS = 5000

/** Lists evaluation runs, newest first. Two or more of them can be compared. */
export function EvaluationsPage() {
  const project = useProject()
  useDocumentTitle('Evaluations', project.project_id)
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const change = useCallback(
    (next: { [Key in keyof EvaluationsSearch]: EvaluationsSearch[Key] | undefined }) =>
      void navigate({ search: (before) => ({ ...before, ...next }) as EvaluationsSearch, replace: true }),
    [navigate],
  )
  const list = useInfiniteQuery({
    queryKey: ['evaluation runs', project.project_id, search.evaluation],
    queryFn: ({ pageParam, signal }) => readRunPage(project, search.evaluation, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    structuralSharing: false,
    // Poll while a run is in progress.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ runs }) => runs.some(isRunning)) === true ? POLL_INTERVAL_MS : false,
  })
  const runs = useMemo(() => list.data?.pages.flatMap((page) => [...page.runs]) ?? [], [list.data])
  const counts = useMemo(
    () => new Map(list.data?.pages.flatMap((page) => [...page.trialCounts]) ?? []),
    [list.data],
  )
  const selected = useMemo(() => parseIds(search.selected), [search.selected])
  const [cursor, setCursor] = useState<string>()
  const toggle = (id: string): void => {
    const next = selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id]
    change({ selected: next.length === 0 ? undefined : next.slice(-MAX_RUNS).join(',') })
  }
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
  useShortcuts('Evaluations', [
    { keys: 'j ArrowDown', label: 'Next run', run: () => move(1) },
    { keys: 'k ArrowUp', label: 'Previous run', run: () => move(-1) },
    { keys: 'Enter', label: 'Open run', run: () => cursor !== undefined && open(cursor) },
    { keys: 'x', label: 'Select run', run: () => cursor !== undefined && toggle(cursor) },
    { keys: 'c', label: 'Compare selected runs', run: compare },
    { keys: 'Escape', label: 'Clear selection', run: () => change({ selected: undefined }) },
  ])
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <div className={styles.page}>
      <PageHeader title="Evaluations" summary={aboutText(runs.length, hasNextPage, list.isPending)}>
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
      <div className={styles.content}>
        {list.isError && runs.length === 0 ? (
          <ErrorNotice error={list.error} retry={() => void list.refetch()} />
        ) : list.isSuccess && runs.length === 0 ? (
          <NoRuns evaluation={search.evaluation} onClear={() => change({ evaluation: undefined })} />
        ) : (
          <RunTable
            runs={runs}
            counts={counts}
            cursor={cursor}
            selected={selected}
            onOpen={open}
            onSelect={toggle}
            onEvaluation={(evaluation) => change({ evaluation })}
            onEnd={onEnd}
          />
        )}
        {selected.length > 0 && (
          <div className={barStyles.bar} role="toolbar" aria-label="Selected runs">
            <span className={barStyles.count}>
              {selected.length === 1 ? '1 run' : `${selected.length} runs`} selected
            </span>
            <Button
              variant="subtle"
              leftSection={<Icon name="compare" size={14} />}
              disabled={selected.length < 2}
              onClick={compare}
            >
              {selected.length < 2 ? 'Select another to compare' : 'Compare'}
            </Button>
            <Button variant="subtle" color="gray" onClick={() => change({ selected: undefined })}>
              Clear
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

function isRunning({ call }: Run): boolean {
  return call.status === 'running' && !call.isStale
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
        <Button
          className={styles.link}
          renderRoot={(link) => (
            <Link {...link} to="/$entity/$project/weave/setup" params={projectParams(project)} />
          )}
        >
          Set up tracing
        </Button>
      }
    >
      An evaluation scores a model on every example of a dataset. After you set up tracing, run one:{' '}
      <code>weave.Evaluation(dataset=…, scorers=[…]).evaluate(model)</code>. Runs appear here and can be
      compared example by example.
    </EmptyState>
  )
}
