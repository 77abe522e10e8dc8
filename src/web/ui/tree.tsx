import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { TreeRow } from './tree-rows.ts'
import styles from './tree.module.css'
import type { VirtualRows } from './use-virtual-rows.ts'

interface Props<Row extends TreeRow> {
  readonly label: string
  /** The name of the scrollable region around the tree. */
  readonly regionLabel: string
  readonly rows: readonly Row[]
  readonly virtual: VirtualRows<Row>
  readonly selected: string
  readonly rowClassName: string | undefined
  /** Deeper rows are not indented further, so that their names stay visible. */
  readonly maxIndentDepth: number
  readonly isDimmed?: (row: Row) => boolean
  readonly onSelect: (id: string) => void
  readonly onToggle: (id: string) => void
  /** The user is about to scroll or to select. */
  readonly onInteraction?: () => void
  /** Renders a row. `handle` is its indentation and its toggle, `childCount` the number of hidden children. */
  readonly children: (row: Row, handle: ReactNode, childCount: ReactNode) => ReactNode
}

/** A virtualized tree. The arrow keys are shortcuts of its page (`treeMoves`), because they work without focus too. */
export function Tree<Row extends TreeRow>(props: Props<Row>) {
  const { rows, virtual, selected } = props
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = event.key === 'Home' ? rows[0] : event.key === 'End' ? rows.at(-1) : undefined
    if (target === undefined) return
    event.preventDefault()
    props.onSelect(target.id)
  }
  return (
    <div
      ref={virtual.scroller}
      className={styles.scroller}
      role="region"
      aria-label={props.regionLabel}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onWheel={props.onInteraction}
      onPointerDown={props.onInteraction}
    >
      <div role="tree" aria-label={props.label} className={styles.body} style={{ height: virtual.heightPx }}>
        {virtual.visible.map(({ row, startPx }) => (
          <div
            key={row.id}
            role="treeitem"
            aria-level={row.depth + 1}
            aria-selected={row.id === selected}
            aria-expanded={row.childCount > 0 ? !row.isCollapsed : undefined}
            className={`${styles.row} ${props.rowClassName}`}
            data-dimmed={props.isDimmed?.(row) || undefined}
            style={
              {
                transform: `translateY(${startPx}px)`,
                '--depth': Math.min(row.depth, props.maxIndentDepth),
              } as CSSProperties
            }
            onClick={() => props.onSelect(row.id)}
          >
            {props.children(
              row,
              <Handle row={row} onToggle={props.onToggle} />,
              row.isCollapsed && row.childCount > 0 && <span className="badge">{row.childCount}</span>,
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

function Handle({ row, onToggle }: { readonly row: TreeRow; readonly onToggle: (id: string) => void }) {
  const { id, name, isCollapsed } = row
  return (
    <>
      <span className={styles.lines} aria-hidden="true" />
      {row.childCount > 0 ? (
        <button
          type="button"
          className={styles.toggle}
          tabIndex={-1}
          aria-label={isCollapsed ? `Expand ${name}` : `Collapse ${name}`}
          onClick={(event) => {
            event.stopPropagation()
            onToggle(id)
          }}
        >
          <Icon name={isCollapsed ? 'chevronRight' : 'chevronDown'} size={12} />
        </button>
      ) : (
        <span className={styles.toggle} />
      )}
    </>
  )
}
