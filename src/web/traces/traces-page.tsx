import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useProject } from '../api/project.ts'
import { FilterBox } from '../filter/filter-box.tsx'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { Page, PageHeader } from '../ui/page.tsx'
import { toggled } from '../ui/toggled.ts'
import { useDocumentTitle } from '../ui/use-title.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import { CallTable } from './call-table.tsx'
import { ColumnsMenu } from './columns-menu.tsx'
import { type Column, printColumns, readColumns } from './columns.ts'
import { ExportMenu } from './export-menu.tsx'
import { Histogram } from './histogram.tsx'
import { listQueryKey, parseListQuery } from './list-query.ts'
import { CLOSED_TRACE } from './list-search.ts'
import { LiveButton, livePausedReason } from './live-button.tsx'
import { EmptyList } from './empty-list.tsx'
import { SavedViewRedirect } from './saved-views/saved-view-redirect.tsx'
import { SavedViewsMenu } from './saved-views/saved-views-menu.tsx'
import { useOpenedView } from './saved-views/use-opened-view.ts'
import { SelectionBar } from './selection-bar.tsx'
import { TraceDrawer } from './trace-drawer.tsx'
import styles from './traces-page.module.css'
import { useCallList } from './use-call-list.ts'
import { useHistogram } from './use-histogram.ts'
import { useLiveCalls, mergeLiveCalls } from './use-live-calls.ts'
import { useOptionalColumns } from './use-optional-columns.ts'
import { usePathValues } from './use-path-values.ts'
import { useSearchList } from './use-search-list.ts'
import { useChangeSearch } from '../use-change-search.ts'

export function TracesPage() {
  const { open } = useSearch({ from: '/$entity/$project/weave/traces' })
  return open === undefined ? <TraceList /> : <SavedViewRedirect objectId={open} />
}

/** The list of traces or of all calls, with filter, time range and drawer. All state is in the URL. */
function TraceList() {
  const project = useProject()
  const search = useSearch({ from: '/$entity/$project/weave/traces' })
  const openedView = useOpenedView(project, search)
  useDocumentTitle(openedView?.view.label ?? '', 'Traces', project.project_id)
  const navigate = useNavigate({ from: '/$entity/$project/weave/traces' })
  const change = useChangeSearch('traces')
  const changeView = useChangeSearch('traces', { replace: true })
  const listQuery = useMemo(
    () => parseListQuery(search),
    [search.filter, search.text, search.range, search.show, search.sort],
  )
  const isSearch = listQuery.text !== undefined
  const canBeLive = livePausedReason(listQuery) === undefined
  const isLive = search.live === 'on' && canBeLive
  const toggleLive = (): void => {
    if (canBeLive) change({ live: isLive ? undefined : 'on' })
  }

  const byTime = useCallList(project, listQuery)
  const bySearch = useSearchList(project, listQuery)
  const list = isSearch ? bySearch : byTime
  // Read after the list has loaded, so that the list does not wait for it.
  const optional = useOptionalColumns(project, list.isSuccess)
  const columns = useMemo(() => readColumns(search.columns, optional), [search.columns, optional])
  const changeColumns = (next: readonly Column[]): void => change({ columns: printColumns(next, optional) })
  const live = useLiveCalls(project, listQuery, isLive)
  const loadedCalls = useMemo(() => list.data?.pages.flatMap((page) => [...page.calls]) ?? [], [list.data])
  const histogram = useHistogram(project, listQuery, {
    isEnabled: !list.isPending && !list.isPlaceholderData,
    hasOrphans: loadedCalls.some(({ parent_id }) => parent_id !== null),
  })
  const calls = useMemo(() => mergeLiveCalls(loadedCalls, live), [loadedCalls, live])
  const ids = useMemo(() => loadedCalls.map(({ id }) => id), [loadedCalls])
  const values = usePathValues(project, ids, live.calls, columns)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [cursor, setCursor] = useState<string>()

  const open = useCallback(
    (id: string) => {
      setCursor(id)
      change({ call: id })
    },
    [change],
  )
  const goTo = (id: string | undefined): void => {
    setCursor(id)
    // An open drawer follows the cursor.
    if (search.call !== undefined && id !== undefined) change({ call: id })
  }
  const moveCursor = (step: number): void => {
    const at = calls.findIndex(({ id }) => id === cursor)
    goTo(calls[Math.max(0, Math.min(calls.length - 1, at === -1 ? 0 : at + step))]?.id)
  }
  /** Of the open trace. */
  const step = (by: number): (() => void) | undefined => {
    const at = calls.findIndex(({ id }) => id === (cursor ?? search.call))
    const id = at === -1 ? undefined : calls[at + by]?.id
    return id === undefined ? undefined : () => goTo(id)
  }
  useShortcuts('List', [
    { keys: 'j', label: 'Next call', run: () => moveCursor(1) },
    { keys: 'k', label: 'Previous call', run: () => moveCursor(-1) },
    { keys: 'Enter', label: 'Open call', run: () => cursor !== undefined && open(cursor) },
    {
      keys: 'x',
      label: 'Select call',
      run: () => cursor !== undefined && setSelected(toggled(selected, cursor)),
    },
    { keys: 'l', label: 'Toggle live mode', run: toggleLive },
  ])

  const noun = listQuery.rootsOnly ? 'traces' : 'calls'
  return (
    <Page>
      <PageHeader
        title={listQuery.rootsOnly ? 'Traces' : 'Calls'}
        summary={totalText(histogram.isPlaceholderData ? undefined : histogram.data, noun)}
      >
        <SegmentedControl
          aria-label="List type"
          value={listQuery.rootsOnly ? 'traces' : 'calls'}
          onChange={(value) => change({ show: value === 'calls' ? 'calls' : undefined, text: undefined })}
          data={[
            { value: 'traces', label: 'Traces' },
            { value: 'calls', label: 'All calls' },
          ]}
        />
        <SavedViewsMenu
          project={project}
          search={search}
          opened={openedView}
          canSave={listQuery.filterError === undefined}
          onNavigate={(next, replace) => void navigate({ search: next, replace })}
        />
      </PageHeader>
      <div className={styles.tools}>
        <FilterBox
          project={project}
          range={listQuery.range}
          filter={search.filter}
          text={search.text}
          onApply={({ filter, text }) => change({ filter, text })}
        />
        <TimeRangeMenu range={listQuery.range} onRange={(range) => change({ range })} />
        <LiveButton listQuery={listQuery} isLive={isLive} onToggle={toggleLive} />
        <ColumnsMenu columns={columns} onColumns={changeColumns} />
        <ExportMenu project={project} listQuery={listQuery} />
      </div>
      {openedView !== undefined && openedView.unsupported.length > 0 && (
        <p className={styles.unsupported} role="status">
          Some parts of this view are not supported: {openedView.unsupported.join('; ')}.
        </p>
      )}
      <Histogram
        data={histogram.data}
        onSelect={(fromMs, toMs) =>
          change({ range: `${new Date(fromMs).toISOString()}..${new Date(toMs).toISOString()}` })
        }
      />
      <div className="column">
        {listQuery.filterError !== undefined ? (
          <p className={`${styles.error} note bad`} role="alert">
            Invalid filter: {listQuery.filterError.reason}.
          </p>
        ) : list.isError && calls.length === 0 ? (
          <ErrorNotice error={list.error} retry={() => void list.refetch()} />
        ) : list.isSuccess && calls.length === 0 && !list.hasNextPage ? (
          <EmptyList
            project={project}
            listQuery={listQuery}
            onClear={() => change({ filter: undefined, text: undefined })}
            onRange={(range) => change({ range })}
          />
        ) : (
          <CallTable
            project={project}
            calls={calls}
            columns={columns}
            values={values}
            sort={listQuery.sort}
            listKey={JSON.stringify(listQueryKey(listQuery))}
            isSearch={isSearch}
            isStale={list.isPlaceholderData || list.isPending}
            cursor={cursor}
            opened={search.call}
            selected={selected}
            onSelect={setSelected}
            onCursor={goTo}
            onOpen={open}
            onColumns={changeColumns}
            onSort={(sort) => change({ sort })}
            pages={list}
            footer={footerText(list, calls.length)}
          />
        )}
        <SelectionBar project={project} selected={selected} onClear={() => setSelected(new Set())} />
        {search.call !== undefined && (
          <TraceDrawer
            project={project}
            callId={search.call}
            search={search}
            // Opening another call adds a history entry; changing its view does not.
            onSearch={(next) => ('call' in next ? change : changeView)(next)}
            onPrevious={step(-1)}
            onNext={step(1)}
            onClose={() => change({ call: undefined, ...CLOSED_TRACE })}
          />
        )}
      </div>
    </Page>
  )
}

function totalText(
  data: { readonly count: number; readonly errors: number } | undefined,
  noun: string,
): string {
  if (data === undefined) return ''
  const errors =
    data.errors === 0 ? '' : `, ${formatCount(data.errors)} ${data.errors === 1 ? 'error' : 'errors'}`
  return `${formatCount(data.count)} ${data.count === 1 ? noun.slice(0, -1) : noun}${errors}`
}

function footerText(
  list: { readonly isPending: boolean; readonly isFetchingNextPage: boolean; readonly hasNextPage: boolean },
  count: number,
): string {
  if (list.isPending) return 'Loading…'
  if (list.isFetchingNextPage) return 'Loading more…'
  return list.hasNextPage ? '' : `End of list: ${formatCount(count)}`
}
