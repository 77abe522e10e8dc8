import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { projectParams, type Project, useProject } from '../api/project.ts'
import { type GridColumn, numberColumn } from '../ui/data-grid/column.ts'
import { DataGrid } from '../ui/data-grid/data-grid.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCompact, formatCount, formatKnownCost } from '../ui/format.ts'
import { Page, PageHeader } from '../ui/page.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { formatDuration, formatTime } from '../time/format.ts'
import { parseRange } from '../time/range.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import { scoresColumn } from '../users/activity-columns.tsx'
import type { ThreadSort } from './active-threads.ts'
import styles from './threads-page.module.css'
import { userText } from './turn-text.ts'
import { type ListedThread, useThreads } from './use-threads.ts'
import { useChangeSearch } from '../use-change-search.ts'

const HERE = '/$entity/$project/weave/threads'

/** Lists the threads of a project, most recently active first. */
export function ThreadsPage() {
  const project = useProject()
  useDocumentTitle('Threads', project.project_id)
  const search = useSearch({ from: HERE })
  const change = useChangeSearch('threads')
  const range = parseRange(search.range)
  const sort = readSort(search.sort)
  const list = useThreads(project, range, sort, search.text)
  const threads = list.data?.pages.flatMap((page) => [...page.threads]) ?? []
  const columns = useMemo(() => threadColumns(project), [project])
  return (
    <Page>
      <PageHeader
        title="Threads"
        summary={list.isSuccess ? `${formatCount(threads.length)}${list.hasNextPage ? ' and more' : ''}` : ''}
      >
        <SearchInput
          label="Search threads"
          value={search.text ?? ''}
          onChange={(text) => change({ text: text === '' ? undefined : text })}
        />
        <TimeRangeMenu range={range} onRange={(text) => change({ range: text })} />
      </PageHeader>
      {list.isError && threads.length === 0 ? (
        <ErrorNotice error={list.error} retry={() => void list.refetch()} />
      ) : list.isSuccess && threads.length === 0 ? (
        search.text === undefined ? (
          <NoThreads project={project} isAll={range.kind === 'all'} onAll={() => change({ range: 'all' })} />
        ) : (
          <EmptyState
            icon="threads"
            title="No matching threads"
            actions={<Button onClick={() => change({ text: undefined })}>Clear search</Button>}
          >
            No thread in this time range contains “{visibleText(search.text)}”.
          </EmptyState>
        )
      ) : (
        <DataGrid
          role="table"
          label="Threads"
          regionLabel="List of threads"
          layoutName="threads"
          isRoomy
          rows={threads}
          rowId={({ thread_id }) => thread_id}
          columns={columns}
          rowHeightPx={48}
          sort={{ id: sort.field, desc: sort.direction === 'desc' }}
          onSort={({ id, desc }) => {
            const next = `${desc ? '-' : ''}${id}`
            change({ sort: next === '-last_updated' ? undefined : next })
          }}
          isBusy={list.isPlaceholderData}
          pages={list}
        />
      )}
    </Page>
  )
}

function threadColumns(project: Project): readonly GridColumn<ListedThread>[] {
  const column = (...args: Parameters<typeof numberColumn<ListedThread>>) => ({
    ...numberColumn(...args),
    isSortable: true,
  })
  return [
    {
      id: 'thread_id',
      label: 'Thread',
      width: 'minmax(160px, 1fr)',
      isRowHeader: true,
      cell: ({ thread_id, firstTurn }) => (
        <Link
          to="/$entity/$project/weave/threads/$thread_id"
          params={{ ...projectParams(project), thread_id }}
          className={styles.link}
        >
          <span className={`${styles.id} isolate`}>{visibleText(thread_id)}</span>
          <span className={`${styles.preview} isolate`}>
            {firstTurn !== undefined && visibleText(userText(firstTurn.inputText).slice(0, 240))}
          </span>
        </Link>
      ),
    },
    column('turn_count', 'Turns', '92px', (thread) => formatCount(thread.turn_count)),
    numberColumn('errors', 'Errors', '80px', ({ activity }) =>
      activity === undefined || activity.errors === 0 ? '' : formatCount(activity.errors),
    ),
    numberColumn('tokens', 'Tokens', '84px', ({ activity }) =>
      activity === undefined ? '' : formatCompact(activity.tokens),
    ),
    numberColumn('cost', 'Cost', '100px', ({ activity }) =>
      activity === undefined ? '' : formatKnownCost(activity.cost, activity.isCostPartial),
    ),
    scoresColumn(({ activity }) => activity),
    column('start_time', 'Started', '124px', (thread) => <Time at={thread.start_time} />),
    column('last_updated', 'Last turn', '124px', (thread) => <Time at={thread.last_updated} />),
    column('p50_turn_duration_ms', 'Turn latency p50', '124px', (thread) =>
      durationText(thread.p50_turn_duration_ms),
    ),
    column('p99_turn_duration_ms', 'Turn latency p99', '124px', (thread) =>
      durationText(thread.p99_turn_duration_ms),
    ),
  ]
}

function Time({ at }: { readonly at: string }) {
  return <time title={at}>{formatTime(at)}</time>
}

function durationText(ms: number | null): string {
  return ms === null ? '–' : formatDuration(ms)
}

const SORT_FIELDS: readonly ThreadSort['field'][] = [
  'turn_count',
  'start_time',
  'last_updated',
  'p50_turn_duration_ms',
  'p99_turn_duration_ms',
]

function readSort(text = '-last_updated'): ThreadSort {
  const field = SORT_FIELDS.find((each) => each === text.replace(/^-/, ''))
  if (field === undefined) return { field: 'last_updated', direction: 'desc' }
  return { field, direction: text.startsWith('-') ? 'desc' : 'asc' }
}

interface NoThreadsProps {
  readonly project: Project
  readonly isAll: boolean
  readonly onAll: () => void
}

function NoThreads({ project, isAll, onAll }: NoThreadsProps) {
  return (
    <EmptyState
      icon="threads"
      title={isAll ? 'No threads yet' : 'No threads in this time range'}
      actions={
        <>
          {!isAll && <Button onClick={onAll}>Show all time</Button>}
          <LinkButton
            variant="default"
            to="/$entity/$project/weave/traces"
            params={projectParams(project)}
            search={{}}
          >
            View traces
          </LinkButton>
        </>
      }
    >
      A thread groups the turns of one conversation. In Python, wrap the calls of a turn in{' '}
      <code>with weave.thread(&quot;some id&quot;):</code> to list them here.
    </EmptyState>
  )
}
