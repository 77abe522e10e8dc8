import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useProject } from '../api/project.ts'
import { FilterBox } from '../filter/filter-box.tsx'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Failure } from '../ui/failure.tsx'
import { formatCount } from '../ui/format.ts'
import { PageHead } from '../ui/page-head.tsx'
import { useTitle } from '../ui/use-title.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import { CallTable } from './call-table.tsx'
import { ColumnsMenu } from './columns-menu.tsx'
import { printColumns, readColumns } from './columns.ts'
import { ExportMenu } from './export-menu.tsx'
import { Histogram } from './histogram.tsx'
import { questionKey, readQuestion } from './list-question.ts'
import { type ListSearch, NO_TRACE } from './list-search.ts'
import { LiveButton, whyNotLive } from './live-button.tsx'
import { NothingFound } from './nothing-found.tsx'
import { SavedViewLink } from './saved-views-link.tsx'
import { SavedViewsMenu } from './saved-views-menu.tsx'
import { useOpenedView } from './saved-views-opened.ts'
import { SelectionBar } from './selection-bar.tsx'
import { TraceDrawer } from './trace-drawer.tsx'
import styles from './traces-page.module.css'
import { useCallList } from './use-call-list.ts'
import { useHasTags } from './use-has-tags.ts'
import { useHistogram } from './use-histogram.ts'
import { useLiveCalls, withLive } from './use-live-calls.ts'
import { usePathValues } from './use-path-values.ts'
import { useSearchList } from './use-search-list.ts'
import { useSelection } from './use-selection.ts'

export function TracesPage() {
  const { open } = useSearch({ from: '/$entity/$project/weave/traces' })
  return open === undefined ? <TraceList /> : <SavedViewLink objectId={open} />
}

/** The list of traces, or of all calls, with everything that narrows it. All of its state is in the address. */
function TraceList() {
  const project = useProject()
  const search = useSearch({ from: '/$entity/$project/weave/traces' })
  const saved = useOpenedView(project, search)
  useTitle(saved?.view.label ?? '', 'Traces', project.project_id)
  const navigate = useNavigate({ from: '/$entity/$project/weave/traces' })
  const change = useCallback(
    (next: { [Key in keyof ListSearch]: ListSearch[Key] | undefined }) =>
      void navigate({ search: (before) => ({ ...before, ...next }) as ListSearch }),
    [navigate],
  )
  const question = useMemo(
    () => readQuestion(search),
    [search.filter, search.text, search.range, search.show, search.sort],
  )
  const isSearch = question.text !== undefined
  const canBeLive = whyNotLive(question) === undefined
  const isLive = search.live === 'on' && canBeLive
  const toggleLive = (): void => {
    if (canBeLive) change({ live: isLive ? undefined : 'on' })
  }

  const byTime = useCallList(project, question)
  const bySearch = useSearchList(project, question)
  const list = isSearch ? bySearch : byTime
  // Looked up when the list is there: nobody waits for it.
  const hasTags = useHasTags(project, list.isSuccess)
  const columns = useMemo(() => readColumns(search.columns, hasTags), [search.columns, hasTags])
  const histogram = useHistogram(project, question, !byTime.isPending && !byTime.isPlaceholderData)
  const live = useLiveCalls(project, question, isLive)
  const read = useMemo(() => list.data?.pages.flatMap((page) => [...page.calls]) ?? [], [list.data])
  const calls = useMemo(() => withLive(read, live), [read, live])
  const ids = useMemo(() => read.map(({ id }) => id), [read])
  const values = usePathValues(project, ids, live.calls, columns)
  const selection = useSelection(calls)
  const [cursor, setCursor] = useState<string>()

  const open = useCallback(
    (id: string) => {
      setCursor(id)
      change({ call: id })
    },
    [change],
  )
  const move = (step: number): void => {
    const at = calls.findIndex(({ id }) => id === cursor)
    const next = calls[Math.max(0, Math.min(calls.length - 1, at === -1 ? 0 : at + step))]
    if (next === undefined) return
    setCursor(next.id)
    // A trace that is open beside the list follows.
    if (search.call !== undefined) change({ call: next.id })
  }
  useShortcuts('List', [
    { keys: 'j', label: 'Next call', run: () => move(1) },
    { keys: 'k', label: 'Previous call', run: () => move(-1) },
    { keys: 'Enter', label: 'Open the call', run: () => cursor !== undefined && open(cursor) },
    {
      keys: 'x',
      label: 'Select the call',
      run: () => cursor !== undefined && selection.toggle(cursor, false),
    },
    { keys: 'l', label: 'Live on or off', run: toggleLive },
  ])

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])

  const noun = question.rootsOnly ? 'traces' : 'calls'
  return (
    <div className={styles.page}>
      <PageHead title={question.rootsOnly ? 'Traces' : 'Calls'} about={total(histogram.data, isSearch, noun)}>
        <SegmentedControl
          aria-label="What is listed"
          value={question.rootsOnly ? 'traces' : 'calls'}
          onChange={(value) => change({ show: value === 'calls' ? 'calls' : undefined, text: undefined })}
          data={[
            { value: 'traces', label: 'Traces' },
            { value: 'calls', label: 'All calls' },
          ]}
        />
        <SavedViewsMenu
          project={project}
          search={search}
          opened={saved}
          canSave={question.trouble === undefined}
          onSearch={(next, replace) => void navigate({ search: next, replace })}
        />
      </PageHead>
      <div className={styles.tools}>
        <FilterBox
          project={project}
          range={question.range}
          filter={search.filter}
          text={search.text}
          onAsk={({ filter, text }) => change({ filter, text })}
        />
        <TimeRangeMenu range={question.range} onRange={(range) => change({ range })} />
        <LiveButton question={question} isLive={isLive} onToggle={toggleLive} />
        <ColumnsMenu
          columns={columns}
          onColumns={(next) => change({ columns: printColumns(next, hasTags) })}
        />
        <ExportMenu project={project} question={question} />
      </div>
      {saved !== undefined && saved.leftOut.length > 0 && (
        <p className={styles.leftOut} role="status">
          Not all of this view can be shown here. Left out: {saved.leftOut.join('; ')}.
        </p>
      )}
      {!isSearch && (
        <Histogram
          data={histogram.data}
          onSelect={(fromMs, toMs) =>
            change({ range: `${new Date(fromMs).toISOString()}..${new Date(toMs).toISOString()}` })
          }
        />
      )}
      <div className={styles.content}>
        {question.trouble !== undefined ? (
          <p className={styles.trouble} role="alert">
            The filter cannot be read: {question.trouble.reason}.
          </p>
        ) : list.isError && calls.length === 0 ? (
          <Failure error={list.error} retry={() => void list.refetch()} />
        ) : list.isSuccess && calls.length === 0 && !hasNextPage ? (
          <NothingFound
            project={project}
            question={question}
            onClear={() => change({ filter: undefined, text: undefined })}
            onRange={(range) => change({ range })}
          />
        ) : (
          <CallTable
            project={project}
            calls={calls}
            columns={columns}
            values={values}
            sort={question.sort}
            listKey={JSON.stringify(questionKey(question))}
            isSearch={isSearch}
            isStale={list.isPlaceholderData || list.isPending}
            cursor={cursor}
            opened={search.call}
            selected={selection.selected}
            onOpen={open}
            onSelect={selection.toggle}
            onSelectAll={selection.setAll}
            onSort={(sort) => change({ sort })}
            onEnd={onEnd}
            foot={footText(list, calls.length)}
          />
        )}
        <SelectionBar
          project={project}
          selected={selection.selected}
          onClear={() => selection.setAll(false)}
        />
        {search.call !== undefined && (
          <TraceDrawer
            project={project}
            callId={search.call}
            search={search}
            onSearch={(next: Parameters<typeof change>[0]) =>
              void navigate({
                search: (before) => ({ ...before, ...next }) as ListSearch,
                // Another call is a step that leads back; another look at it is not.
                replace: !('call' in next),
              })
            }
            onClose={() => change({ call: undefined, ...NO_TRACE })}
          />
        )}
      </div>
    </div>
  )
}

function total(
  data: { readonly count: number; readonly errors: number } | undefined,
  isSearch: boolean,
  noun: string,
): string {
  if (isSearch) return 'newest first'
  if (data === undefined) return ''
  const failed = data.errors === 0 ? '' : `, ${formatCount(data.errors)} failed`
  return `${formatCount(data.count)} ${data.count === 1 ? noun.slice(0, -1) : noun}${failed}`
}

function footText(
  list: { readonly isPending: boolean; readonly isFetchingNextPage: boolean; readonly hasNextPage: boolean },
  count: number,
): string {
  if (list.isPending) return 'Reading…'
  if (list.isFetchingNextPage) return 'Reading more…'
  return list.hasNextPage ? '' : `That is all: ${formatCount(count)}`
}
