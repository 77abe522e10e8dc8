import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { projectParams, type Project, useProject } from '../api/project.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration, formatTime } from '../time/format.ts'
import { parseRange } from '../time/range.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import type { ThreadSort } from './active-threads.ts'
import styles from './threads-page.module.css'
import type { ThreadsSearch } from './threads-search.ts'
import { userText } from './turn-text.ts'
import { type ListedThread, useThreads } from './use-threads.ts'

const HERE = '/$entity/$project/weave/threads'

const COLUMNS: readonly { readonly field: ThreadSort['field']; readonly label: string }[] = [
  { field: 'turn_count', label: 'Turns' },
  { field: 'start_time', label: 'Started' },
  { field: 'last_updated', label: 'Last turn' },
  { field: 'p50_turn_duration_ms', label: 'Turn latency p50' },
  { field: 'p99_turn_duration_ms', label: 'Turn latency p99' },
]

/** Lists the threads of a project, most recently active first. */
export function ThreadsPage() {
  const project = useProject()
  useDocumentTitle('Threads', project.project_id)
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const change = (next: { [Key in keyof ThreadsSearch]: ThreadsSearch[Key] | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...next }) as ThreadsSearch })
  const range = parseRange(search.range)
  const sort = readSort(search.sort)
  const list = useThreads(project, range, sort)
  const threads = list.data?.pages.flatMap((page) => [...page.threads]) ?? []
  return (
    <div className={styles.page}>
      <PageHeader
        title="Threads"
        summary={list.isSuccess ? `${formatCount(threads.length)}${list.hasNextPage ? ' and more' : ''}` : ''}
      >
        <TimeRangeMenu range={range} onRange={(text) => change({ range: text })} />
      </PageHeader>
      <div className={styles.body}>
        {list.isError && threads.length === 0 ? (
          <ErrorNotice error={list.error} retry={() => void list.refetch()} />
        ) : list.isSuccess && threads.length === 0 ? (
          <NoThreads project={project} isAll={range.kind === 'all'} onAll={() => change({ range: 'all' })} />
        ) : (
          <table className={styles.table} aria-busy={list.isPlaceholderData}>
            <caption className="visually-hidden">Threads</caption>
            <thead>
              <tr>
                <th scope="col">Thread</th>
                {COLUMNS.map(({ field, label }) => (
                  <SortHead
                    key={field}
                    label={label}
                    field={field}
                    sort={sort}
                    onSort={(next) => change({ sort: next === '-last_updated' ? undefined : next })}
                  />
                ))}
              </tr>
            </thead>
            <tbody>
              {threads.map((thread) => (
                <ThreadRow key={thread.thread_id} project={project} thread={thread} />
              ))}
            </tbody>
          </table>
        )}
        {list.hasNextPage && (
          <div className={styles.more}>
            <Button
              variant="default"
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              Show more
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

function ThreadRow({ project, thread }: { readonly project: Project; readonly thread: ListedThread }) {
  const userMessage = thread.firstTurn === undefined ? '' : userText(thread.firstTurn.inputText)
  return (
    <tr>
      <th scope="row">
        <Link
          to="/$entity/$project/weave/threads/$thread_id"
          params={{ ...projectParams(project), thread_id: thread.thread_id }}
          className={styles.link}
        >
          <span className={`${styles.id} isolate`}>{visibleText(thread.thread_id)}</span>
          <span className={`${styles.preview} isolate`}>{visibleText(userMessage.slice(0, 240))}</span>
        </Link>
      </th>
      <td>{formatCount(thread.turn_count)}</td>
      <td title={thread.start_time}>{formatTime(thread.start_time)}</td>
      <td title={thread.last_updated}>{formatTime(thread.last_updated)}</td>
      <td>{durationText(thread.p50_turn_duration_ms)}</td>
      <td>{durationText(thread.p99_turn_duration_ms)}</td>
    </tr>
  )
}

function durationText(ms: number | null): string {
  return ms === null ? '–' : formatDuration(ms)
}

interface HeadProps {
  readonly label: string
  readonly field: string
  readonly sort: ThreadSort
  readonly onSort: (sort: string) => void
}

function SortHead({ label, field, sort, onSort }: HeadProps) {
  const direction = sort.field === field ? sort.direction : undefined
  const aria = direction === undefined ? 'none' : direction === 'desc' ? 'descending' : 'ascending'
  return (
    <th scope="col" aria-sort={aria}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort(direction === 'desc' ? field : `-${field}`)}
      >
        {label}
        {direction !== undefined && (
          <Icon name={direction === 'desc' ? 'chevronDown' : 'chevronUp'} size={12} />
        )}
      </button>
    </th>
  )
}

function readSort(text: string | undefined): ThreadSort {
  const name = (text ?? '').replace(/^-/, '')
  const column = COLUMNS.find(({ field }) => field === name)
  if (column === undefined) return { field: 'last_updated', direction: 'desc' }
  return { field: column.field, direction: text?.startsWith('-') === true ? 'desc' : 'asc' }
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
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/$entity/$project/weave/traces"
                params={projectParams(project)}
                search={{}}
              />
            )}
          >
            View traces
          </Button>
        </>
      }
    >
      A thread groups the turns of one conversation. In Python, wrap the calls of a turn in{' '}
      <code>with weave.thread(&quot;some id&quot;):</code> to list them here.
    </EmptyState>
  )
}
