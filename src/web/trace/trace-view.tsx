import { ActionIcon, SegmentedControl, TextInput, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { inPath, type Project } from '../api/project.ts'
import { CallDetail } from '../call/call-detail.tsx'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Failure } from '../ui/failure.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { useTitle } from '../ui/use-title.ts'
import { formatDuration } from '../time/format.ts'
import { readHeatKind } from './heat.ts'
import { parseWindow, printWindow } from './time-window.ts'
import { Timeline } from './timeline.tsx'
import { rowsOf } from './trace-rows.ts'
import type { TraceSearch, TraceSearchChange } from './trace-search.ts'
import type { TraceStore } from './trace-store.ts'
import { TraceTree } from './trace-tree.tsx'
import styles from './trace-view.module.css'
import { Transcript } from './transcript.tsx'
import { useHeat } from './use-heat.ts'
import { useStoreVersion, useTrace } from './use-trace.ts'
import { useTraceFind } from './use-trace-find.ts'

interface Props {
  readonly project: Project
  readonly callId: string
  readonly search: TraceSearch
  readonly onCall: (id: string) => void
  readonly onSearch: (search: TraceSearchChange) => void
  /** What stands at the right of the head: ways to close or to enlarge. */
  readonly actions: ReactNode
}

/** A trace: who called whom on the left, the call that is chosen on the right. */
export function TraceView(props: Props) {
  const trace = useTrace(props.project, props.callId)
  // Beside the list another trace may be opened in its place; a time that was chosen is one of the trace before.
  const before = useRef(trace.traceId)
  useEffect(() => {
    if (trace.traceId === undefined || before.current === trace.traceId) return
    if (before.current !== undefined && props.search.time !== undefined) props.onSearch({ time: undefined })
    before.current = trace.traceId
  }, [trace.traceId])
  if (trace.error !== null && (trace.store === undefined || trace.store.size === 0)) {
    return (
      <>
        <div className={styles.head}>
          <span className={styles.space} />
          {props.actions}
        </div>
        <Failure error={trace.error} retry={trace.retry} />
      </>
    )
  }
  if (trace.store === undefined) {
    return (
      <div className={styles.head}>
        <span className={styles.about} role="status">
          Reading the trace…
        </span>
        <span className={styles.space} />
        {props.actions}
      </div>
    )
  }
  return <LoadedTrace {...props} store={trace.store} traceId={trace.traceId ?? ''} />
}

function LoadedTrace(props: Props & { readonly store: TraceStore; readonly traceId: string }) {
  const { project, callId, store, search, onCall, onSearch } = props
  const version = useStoreVersion(store)
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const { text, setText } = useFindText(search.find, onSearch)
  const findRef = useRef<HTMLInputElement>(null)
  const timelineKeys = useRef<HTMLDivElement>(null)
  const window = useMemo(() => parseWindow(search.time, store.startMs), [search.time, store.startMs])
  const heatKind = readHeatKind(search.heat)
  const heat = useHeat(project, props.traceId, store, heatKind)
  const rows = useMemo(() => rowsOf(store, collapsed, window), [store, store.shape, collapsed, window])
  const matched = useTraceFind(project, props.traceId, store, text)
  const isTranscript = search.view === 'transcript'

  const toggle = useCallback((id: string, isCollapsed?: boolean) => {
    setCollapsed((before) => {
      const after = new Set(before)
      if (isCollapsed ?? !before.has(id)) after.add(id)
      else after.delete(id)
      return after
    })
  }, [])
  const at = rows.findIndex(({ node }) => node.call.id === callId)
  const move = (step: number): void => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))]
    if (next !== undefined) onCall(next.node.call.id)
  }
  const fold = (isCollapsed: boolean): void => {
    const node = store.get(callId)
    if (node === undefined) return
    if (isCollapsed && (node.children.length === 0 || collapsed.has(callId))) {
      if (node.parent !== undefined) onCall(node.parent.call.id)
    } else toggle(callId, isCollapsed)
  }
  const nextMatch = (step: number): void => {
    const ids = rows.map(({ node }) => node.call.id).filter((id) => matched?.has(id) === true)
    const here = ids.indexOf(callId)
    const next = ids[(here + step + ids.length) % Math.max(1, ids.length)]
    if (next !== undefined) onCall(next)
  }
  useShortcuts('Trace', [
    { keys: 'ArrowDown', label: 'Next call of the trace', run: () => move(1) },
    { keys: 'ArrowUp', label: 'Previous call of the trace', run: () => move(-1) },
    { keys: 'ArrowLeft', label: 'Fold, or go to the caller', run: () => fold(true) },
    { keys: 'ArrowRight', label: 'Unfold', run: () => fold(false) },
    {
      keys: 't',
      label: 'Tree or transcript',
      run: () => onSearch({ view: isTranscript ? undefined : 'transcript' }),
    },
    { keys: 'f', label: 'Find in the trace', run: () => findRef.current?.focus() },
    {
      keys: 'z',
      label: 'Choose a time: then ← → move it, Shift ← → widen it, + − zoom, Esc clears it',
      run: () => timelineKeys.current?.focus(),
    },
    {
      keys: 'h',
      label: 'Timeline by time, latency or cost',
      run: () =>
        onSearch({ heat: heatKind === undefined ? 'latency' : heatKind === 'latency' ? 'cost' : undefined }),
    },
  ])
  const root = store.roots[0]
  useTitle(root?.call.name ?? 'Trace', project.project_id)
  const running = root !== undefined && root.call.endMs === undefined
  return (
    <>
      <div className={styles.head}>
        <h1 className={`${styles.title} foreign`}>{root?.call.name ?? 'Trace'}</h1>
        <span className={styles.about}>
          {formatCount(store.size)} {store.size === 1 ? 'call' : 'calls'}
          {store.size > 0 && !running && ` · ${formatDuration(store.endMs - store.startMs)}`}
          {running && ' · running'}
          {!store.isWhole && ' · reading…'}
        </span>
        <span className={styles.space} />
        <TextInput
          ref={findRef}
          className={styles.find}
          aria-label="Find in the trace"
          placeholder="Find in the trace"
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
          aria-label="How the trace is shown"
          value={isTranscript ? 'transcript' : 'tree'}
          onChange={(view) => onSearch({ view: view === 'tree' ? undefined : view })}
          data={[
            { value: 'tree', label: 'Tree' },
            { value: 'transcript', label: 'Transcript' },
          ]}
        />
        <Tooltip label="Compare this call with another">
          <ActionIcon
            component="div"
            renderRoot={(link) => (
              <Link
                {...link}
                to="/$entity/$project/weave/compare"
                params={inPath(project)}
                search={{ calls: callId }}
              />
            )}
            aria-label="Compare this call with another"
          >
            <Icon name="compare" size={14} />
          </ActionIcon>
        </Tooltip>
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
          keys={timelineKeys}
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
            <span className={styles.about}>
              {rows.length < store.size
                ? `${formatCount(rows.length)} of ${formatCount(store.size)} shown`
                : ''}
            </span>
            <Tooltip label="Fold everything">
              <ActionIcon
                size={22}
                aria-label="Fold everything"
                onClick={() =>
                  setCollapsed(new Set([...store.nodes()].filter(isFoldable).map(({ call }) => call.id)))
                }
              >
                <Icon name="minus" size={12} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Unfold everything">
              <ActionIcon size={22} aria-label="Unfold everything" onClick={() => setCollapsed(new Set())}>
                <Icon name="plus" size={12} />
              </ActionIcon>
            </Tooltip>
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

/** What is looked for: at once in the box, in the address when the typing pauses. */
function useFindText(find: string | undefined, onSearch: Props['onSearch']) {
  const [text, setNow] = useState(find ?? '')
  const written = useRef(find)
  const write = useDebouncedCallback((next: string) => {
    written.current = next === '' ? undefined : next
    onSearch({ find: written.current })
  }, 300)
  useEffect(() => {
    // Somebody went back, or to another address.
    if (find === written.current) return
    written.current = find
    setNow(find ?? '')
  }, [find])
  const setText = (next: string): void => {
    setNow(next)
    write(next)
  }
  return { text, setText }
}

function isFoldable(node: { readonly children: readonly unknown[]; readonly parent: unknown }): boolean {
  return node.children.length > 0 && node.parent !== undefined
}
