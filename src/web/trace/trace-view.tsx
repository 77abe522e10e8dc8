import { SegmentedControl, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { projectParams, type Project } from '../api/project.ts'
import { WriteOnly } from '../api/role.tsx'
import { CallDetail } from '../call/call-detail.tsx'
import { MarkdownToggle } from '../markdown/markdown-toggle.tsx'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { treeMoves, useCollapsed } from '../ui/tree-rows.ts'
import { useDocumentTitle } from '../ui/use-title.ts'
import { LinkIcon } from '../ui/link-button.tsx'
import { formatDuration } from '../time/format.ts'
import { parseHeatKind } from './heat.ts'
import { TraceActions } from './trace-actions.tsx'
import { parseWindow, printWindow } from './time-window.ts'
import { Timeline } from './timeline.tsx'
import { visibleRows } from './trace-rows.ts'
import type { TraceStore } from './trace-store.ts'
import { TraceTree } from './trace-tree.tsx'
import styles from './trace-view.module.css'
import { TraceSummary } from './trace-summary.tsx'
import { Transcript } from './transcript.tsx'
import { useHeat } from './use-heat.ts'
import { useStoreVersion, useTrace } from './use-trace.ts'
import { useTraceFind } from './use-trace-find.ts'
import type { Search, SearchChange } from '../search-state.ts'

interface Props {
  readonly project: Project
  readonly callId: string
  readonly search: Search<'trace'>
  readonly onCall: (id: string) => void
  readonly onSearch: (search: SearchChange<'trace'>) => void
  /** Buttons at the left of the header, which open other traces. The root is unknown until the trace is loaded. */
  readonly navigation: (rootId: string | undefined) => ReactNode
  /** Buttons at the right of the header, such as close and expand. */
  readonly actions: ReactNode
  readonly onDeleted: () => void
}

/** A trace: the call tree on the left, the selected call on the right. */
export function TraceView(props: Props) {
  const trace = useTrace(props.project, props.callId)
  // The drawer may open another trace. A selected time window belongs to the previous trace and is cleared.
  const previousTraceId = useRef(trace.traceId)
  useEffect(() => {
    if (trace.traceId === undefined || previousTraceId.current === trace.traceId) return
    if (previousTraceId.current !== undefined && props.search.time !== undefined)
      props.onSearch({ time: undefined })
    previousTraceId.current = trace.traceId
  }, [trace.traceId])
  if (trace.error !== null && (trace.store === undefined || trace.store.size === 0)) {
    return (
      <>
        <div className={styles.head}>
          <span className="grow" />
          {props.actions}
        </div>
        <ErrorNotice error={trace.error} retry={trace.retry} />
      </>
    )
  }
  if (trace.store === undefined) {
    return (
      <div className={styles.head}>
        <span className="ellipsis hint" role="status">
          Loading trace…
        </span>
        <span className="grow" />
        {props.actions}
      </div>
    )
  }
  return <LoadedTrace {...props} store={trace.store} traceId={trace.traceId ?? ''} />
}

function LoadedTrace(props: Props & { readonly store: TraceStore; readonly traceId: string }) {
  const { project, callId, store, search, onCall, onSearch } = props
  const version = useStoreVersion(store)
  const { collapsed, setCollapsed, toggle } = useCollapsed()
  const { text, setText } = useFindText(search.find, onSearch)
  const findRef = useRef<HTMLInputElement>(null)
  const timelineRef = useRef<HTMLDivElement>(null)
  const window = useMemo(() => parseWindow(search.time, store.startMs), [search.time, store.startMs])
  const heatKind = parseHeatKind(search.heat)
  const heat = useHeat(project, props.traceId, store, heatKind)
  const rows = useMemo(
    () => visibleRows(store, collapsed, window),
    [store, store.structureVersion, collapsed, window],
  )
  const matched = useTraceFind(project, props.traceId, store, text)
  const isTranscript = search.view === 'transcript'

  const moves = treeMoves(rows, callId, onCall, toggle, store.get(callId)?.parent?.call.id)
  const nextMatch = (step: number): void => {
    const ids = rows.map(({ id }) => id).filter((id) => matched?.has(id) === true)
    const here = ids.indexOf(callId)
    const next = ids[(here + step + ids.length) % Math.max(1, ids.length)]
    if (next !== undefined) onCall(next)
  }
  useShortcuts('Trace', [
    { keys: 'ArrowDown', label: 'Next call in trace', run: () => moves.move(1) },
    { keys: 'ArrowUp', label: 'Previous call in trace', run: () => moves.move(-1) },
    { keys: 'ArrowLeft', label: 'Collapse, or go to parent', run: moves.collapseOrSelectParent },
    { keys: 'ArrowRight', label: 'Expand', run: moves.expand },
    {
      keys: 't',
      label: 'Toggle tree and transcript',
      run: () => onSearch({ view: isTranscript ? undefined : 'transcript' }),
    },
    { keys: 'f', label: 'Find in trace', run: () => findRef.current?.focus() },
    {
      keys: 'z',
      label: 'Select a time window: ← → move, Shift ← → resize, + − zoom, Esc resets',
      run: () => timelineRef.current?.focus(),
    },
    {
      keys: 'h',
      label: 'Color timeline by kind, latency or cost',
      run: () =>
        onSearch({ heat: heatKind === undefined ? 'latency' : heatKind === 'latency' ? 'cost' : undefined }),
    },
  ])
  const root = store.roots[0]
  useDocumentTitle(root?.call.name ?? 'Trace', project.project_id)
  const running = root !== undefined && root.call.endMs === undefined
  return (
    <>
      <div className={styles.head}>
        {props.navigation(root?.call.id)}
        <h1 className={`${styles.title} isolate`}>{root?.call.name ?? 'Trace'}</h1>
        <span className="ellipsis hint">
          {formatCount(store.size)} {store.size === 1 ? 'call' : 'calls'}
          {store.size > 0 && !running && ` · ${formatDuration(store.endMs - store.startMs)}`}
          {running && ' · running'}
          {!store.isComplete && ' · loading…'}
        </span>
        <TraceSummary
          project={project}
          callId={root?.call.id ?? callId}
          traceId={props.traceId}
          isRunning={running}
        />
        <span className="grow" />
        <TextInput
          ref={findRef}
          className={styles.find}
          aria-label="Find in trace"
          placeholder="Find in trace"
          leftSection={<Icon name="search" size={13} />}
          rightSection={text === '' ? null : <span className={styles.hits}>{matched?.size ?? '…'}</span>}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') nextMatch(event.shiftKey ? -1 : 1)
            else if (event.key === 'Escape') {
              event.preventDefault()
              event.stopPropagation()
              setText('')
              event.currentTarget.blur()
            }
          }}
        />
        <SegmentedControl
          aria-label="Trace view"
          value={isTranscript ? 'transcript' : 'tree'}
          onChange={(view) => onSearch({ view: view === 'tree' ? undefined : view })}
          data={[
            { value: 'tree', label: 'Tree' },
            { value: 'transcript', label: 'Transcript' },
          ]}
        />
        <Tooltip label="Compare with another call">
          <LinkIcon
            to="/$entity/$project/weave/compare"
            params={projectParams(project)}
            search={{ calls: callId }}
            aria-label="Compare with another call"
          >
            <Icon name="compare" size={14} />
          </LinkIcon>
        </Tooltip>
        <WriteOnly>
          <TraceActions
            project={project}
            callId={callId}
            rootId={root?.call.id}
            onDeleted={props.onDeleted}
          />
        </WriteOnly>
        {props.actions}
      </div>
      {store.size > 1 && (
        <Timeline
          store={store}
          version={version}
          selected={callId}
          window={window}
          heatKind={heatKind}
          heat={heat}
          keyboardTarget={timelineRef}
          onWindow={(next) =>
            onSearch({ time: next === undefined ? undefined : printWindow(next, store.startMs) })
          }
          onHeat={(kind) => onSearch({ heat: kind })}
          onSelect={onCall}
        />
      )}
      <div className={styles.split}>
        <div className={styles.left}>
          <div className={styles.bar}>
            <span className="ellipsis hint">
              {rows.length < store.size
                ? `${formatCount(rows.length)} of ${formatCount(store.size)} shown`
                : ''}
            </span>
            {isTranscript && <MarkdownToggle />}
            <IconButton
              icon="minus"
              label="Collapse all"
              tooltip="Collapse all"
              size={22}
              onClick={() =>
                setCollapsed(new Set([...store.nodes()].filter(isCollapsible).map(({ call }) => call.id)))
              }
            />
            <IconButton
              icon="plus"
              label="Expand all"
              tooltip="Expand all"
              size={22}
              onClick={() => setCollapsed(new Set())}
            />
          </div>
          {isTranscript ? (
            <Transcript
              project={project}
              store={store}
              version={version}
              rows={rows}
              selected={callId}
              matched={matched}
              onSelect={onCall}
            />
          ) : (
            <TraceTree
              project={project}
              store={store}
              version={version}
              rows={rows}
              selected={callId}
              matched={matched}
              heat={heat.heat}
              onSelect={onCall}
              onToggle={toggle}
            />
          )}
        </div>
        <div className={styles.right}>
          <CallDetail
            project={project}
            callId={callId}
            endMs={store.get(callId)?.call.endMs}
            tab={search.tab}
            onTab={(tab) => onSearch({ tab })}
          />
        </div>
      </div>
    </>
  )
}

/** The search text: updates the input immediately, and the URL when typing pauses. */
function useFindText(find: string | undefined, onSearch: Props['onSearch']) {
  const [text, setInput] = useState(find ?? '')
  const lastWritten = useRef(find)
  const write = useDebouncedCallback((next: string) => {
    lastWritten.current = next === '' ? undefined : next
    onSearch({ find: lastWritten.current })
  }, 300)
  useEffect(() => {
    // The URL changed from outside, such as by the back button.
    if (find === lastWritten.current) return
    lastWritten.current = find
    setInput(find ?? '')
  }, [find])
  const setText = (next: string): void => {
    setInput(next)
    write(next)
  }
  return { text, setText }
}

function isCollapsible(node: { readonly children: readonly unknown[]; readonly parent: unknown }): boolean {
  return node.children.length > 0 && node.parent !== undefined
}
