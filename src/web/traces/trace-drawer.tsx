import { ActionIcon, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, lazy, type PointerEvent, Suspense, useEffect, useRef, useState } from 'react'
import type { Project } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Icon } from '../ui/icon.tsx'
import { readTraceSearch, type TraceSearchChange } from '../trace/trace-search.ts'
import { keyedWidth, NARROWEST, widest } from './drawer-width.ts'
import type { ListSearch } from './list-search.ts'
import styles from './trace-drawer.module.css'

const TraceView = lazy(async () => ({ default: (await import('../trace/trace-view.tsx')).TraceView }))

interface Props {
  readonly project: Project
  readonly callId: string
  readonly search: ListSearch
  readonly onSearch: (search: TraceSearchChange & { readonly call?: string }) => void
  readonly onClose: () => void
}

/** A trace beside the list, so that the next one is a key away. Its edge can be drawn, by the mouse or by keys. */
export function TraceDrawer({ project, callId, search, onSearch, onClose }: Props) {
  const [width, setWidth] = useState<number>()
  const drawer = useRef<HTMLElement>(null)
  /** As it is on the screen, which the style sheet decides until somebody draws it. */
  const [shownWidth, setShownWidth] = useState(0)
  useShortcuts('Trace', [{ keys: 'Escape', label: 'Close the trace', run: onClose }])
  useEffect(() => {
    const element = drawer.current
    if (element === null) return undefined
    const sizes = new ResizeObserver(() => setShownWidth(element.offsetWidth))
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  const most = widest(window.innerWidth)
  const drag = (event: PointerEvent): void => {
    if (event.buttons !== 1) return
    setWidth(Math.max(NARROWEST, Math.min(most, window.innerWidth - event.clientX)))
  }
  const onKey = (event: KeyboardEvent): void => {
    const next = keyedWidth(event, drawer.current?.offsetWidth ?? NARROWEST, window.innerWidth)
    if (next === undefined) return
    event.preventDefault()
    setWidth(next)
  }
  return (
    <aside
      ref={drawer}
      className={styles.drawer}
      aria-label="Trace"
      style={width === undefined ? undefined : { width }}
    >
      <div
        className={styles.edge}
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label="Width of the trace"
        aria-valuemin={NARROWEST}
        aria-valuemax={most}
        aria-valuenow={shownWidth}
        aria-valuetext={`${shownWidth} pixels`}
        // A drag is for the mouse: the keys stay with the tree.
        onMouseDown={(event) => event.preventDefault()}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={onKey}
      />
      <Suspense fallback={null}>
        <TraceView
          project={project}
          callId={callId}
          search={search}
          onCall={(id) => onSearch({ call: id })}
          onSearch={onSearch}
          actions={
            <>
              <Tooltip label="Open as a page">
                <ActionIcon
                  component="div"
                  renderRoot={(props) => (
                    <Link
                      {...props}
                      to="/$entity/$project/weave/calls/$call_id"
                      params={{ entity: project.entity, project: project.project, call_id: callId }}
                      search={readTraceSearch({ ...search })}
                    />
                  )}
                  aria-label="Open as a page"
                >
                  <Icon name="expand" size={14} />
                </ActionIcon>
              </Tooltip>
              <Tooltip label="Close (Esc)">
                <ActionIcon aria-label="Close the trace" onClick={onClose}>
                  <Icon name="close" size={14} />
                </ActionIcon>
              </Tooltip>
            </>
          }
        />
      </Suspense>
    </aside>
  )
}
