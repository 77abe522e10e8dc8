import { Tooltip } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, Suspense, useEffect, useRef, useState } from 'react'
import { lazyComponent } from '../loading/lazy-component.ts'
import type { Project } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { LinkIcon } from '../ui/link-button.tsx'
import { TraceSteps } from '../trace/trace-steps.tsx'
import { widthAfterKey, MIN_WIDTH, maxWidth } from './drawer-width.ts'
import styles from './trace-drawer.module.css'
import { readSearch, type Search, type SearchChange } from '../search-state.ts'

const TraceView = lazyComponent(() => import('../trace/trace-view.tsx'), 'TraceView')

interface Props {
  readonly project: Project
  readonly callId: string
  readonly search: Search<'traces'>
  readonly onSearch: (search: SearchChange<'trace'> & { readonly call?: string }) => void
  /** Opens the trace before or after this one in the list; undefined at its ends. */
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
  readonly onClose: () => void
}

/** Drawer that shows a trace next to the list. Its edge is resizable by mouse and keyboard. */
export function TraceDrawer(props: Props) {
  const { project, callId, search, onSearch, onClose } = props
  const [width, setWidth] = useState<number>()
  const drawer = useRef<HTMLElement>(null)
  /** The rendered width. CSS sets it until the user resizes the drawer. */
  const [renderedWidth, setRenderedWidth] = useState(0)
  useShortcuts('Trace', [{ keys: 'Escape', label: 'Close trace', run: onClose }])
  useEffect(() => {
    const element = drawer.current
    if (element === null) return undefined
    const sizes = new ResizeObserver(() => setRenderedWidth(element.offsetWidth))
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  const max = maxWidth(window.innerWidth)
  const drag = (event: PointerEvent): void => {
    if (event.buttons !== 1) return
    setWidth(Math.max(MIN_WIDTH, Math.min(max, window.innerWidth - event.clientX)))
  }
  const onKey = (event: KeyboardEvent): void => {
    const next = widthAfterKey(event, drawer.current?.offsetWidth ?? MIN_WIDTH, window.innerWidth)
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
        aria-label="Trace panel width"
        aria-valuemin={MIN_WIDTH}
        aria-valuemax={max}
        aria-valuenow={renderedWidth}
        aria-valuetext={`${renderedWidth} pixels`}
        // A drag does not move the focus: the keyboard stays with the tree.
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
          navigation={() => <TraceSteps onPrevious={props.onPrevious} onNext={props.onNext} />}
          onDeleted={onClose}
          actions={
            <>
              <Tooltip label="Open full page">
                <LinkIcon
                  to="/$entity/$project/weave/calls/$call_id"
                  params={{ entity: project.entity, project: project.project, call_id: callId }}
                  search={readSearch.trace({ ...search })}
                  aria-label="Open full page"
                >
                  <Icon name="expand" size={14} />
                </LinkIcon>
              </Tooltip>
              <IconButton icon="close" label="Close trace" tooltip="Close (Esc)" onClick={onClose} />
            </>
          }
        />
      </Suspense>
    </aside>
  )
}
