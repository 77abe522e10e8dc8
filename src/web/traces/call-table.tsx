import { Tooltip } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, memo, type MouseEvent, useEffect, useMemo, useRef } from 'react'
import type { Project } from '../api/project.ts'
import type { CallListItem } from '../call/call-list-item.ts'
import { Icon } from '../ui/icon.tsx'
import { NativeCheckbox } from '../ui/native-checkbox.tsx'
import styles from './call-table.module.css'
import { Cell, Matches } from './cells.tsx'
import type { Column } from './columns.ts'
import type { ListQuery } from './list-query.ts'
import type { MatchedCall } from './use-search-list.ts'

const ROW_HEIGHT = 34
const PREFETCH_ROWS = 65

interface Props {
  readonly project: Project
  readonly calls: readonly (CallListItem | MatchedCall)[]
  readonly columns: readonly Column[]
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly sort: ListQuery['sort']
  /** Identifies the list. A new key scrolls the table to the top. */
  readonly listKey: string
  readonly isSearch: boolean
  readonly isStale: boolean
  /** The row that keyboard shortcuts act on. */
  readonly cursor: string | undefined
  readonly opened: string | undefined
  readonly selected: ReadonlySet<string>
  readonly onOpen: (id: string) => void
  readonly onSelect: (id: string, isRange: boolean) => void
  readonly onSelectAll: (isAll: boolean) => void
  readonly onSort: (sort: string | undefined) => void
  readonly onEndReached: () => void
  readonly footer: string
}

const MATCH_COLUMN: Column = { name: 'match', label: 'Match', width: 'minmax(280px, 4fr)' }

/** The virtualized table of calls. All rows have the same height. */
export function CallTable(props: Props) {
  const { calls, selected } = props
  const scroller = useRef<HTMLDivElement>(null)
  const columns = useMemo(
    () => (props.isSearch ? searchColumns(props.columns) : props.columns),
    [props.isSearch, props.columns],
  )
  const template = `34px ${columns.map(({ width }) => width).join(' ')}`
  const rows = useVirtualizer({
    count: calls.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  })
  const visible = rows.getVirtualItems()
  const lastVisible = visible.at(-1)?.index ?? 0
  const { onEndReached } = props
  useEffect(() => {
    // Once the user scrolls, the next page is fetched earlier, before it is needed.
    const ahead = (scroller.current?.scrollTop ?? 0) > 0 ? PREFETCH_ROWS : 15
    if (calls.length > 0 && lastVisible >= calls.length - ahead) onEndReached()
  }, [lastVisible, calls.length, onEndReached])

  useEffect(() => {
    scroller.current?.scrollTo(0, 0)
  }, [props.listKey])

  const cursorIndex = props.cursor === undefined ? -1 : calls.findIndex(({ id }) => id === props.cursor)
  useEffect(() => {
    if (cursorIndex < 0) return
    rows.scrollToIndex(cursorIndex)
    // A table button that kept the focus would receive the Enter that is meant for the row.
    if (scroller.current?.contains(document.activeElement) === true) {
      scroller.current.focus({ preventScroll: true })
    }
  }, [cursorIndex])

  const style = { '--columns': template } as CSSProperties
  const isAll = selected.size > 0 && calls.every(({ id }) => selected.has(id))
  return (
    <div ref={scroller} className={styles.scroller} tabIndex={0} role="region" aria-label="List of calls">
      <div
        role="grid"
        className={styles.grid}
        aria-label="Calls"
        aria-rowcount={calls.length + 1}
        aria-busy={props.isStale}
        style={style}
      >
        <div className={styles.head} role="row" aria-rowindex={1}>
          <div role="columnheader" className={styles.check}>
            <NativeCheckbox
              aria-label="Select all"
              checked={isAll}
              indeterminate={selected.size > 0 && !isAll}
              onChange={(event) => props.onSelectAll(event.target.checked)}
            />
          </div>
          {columns.map((column) => (
            <HeaderCell key={column.name} column={column} sort={props.sort} onSort={props.onSort} />
          ))}
        </div>
        <div className={styles.body} role="rowgroup" style={{ height: rows.getTotalSize() }}>
          {visible.map(({ index, start }) => {
            const call = calls[index]
            if (call === undefined) return null
            return (
              <Row
                key={call.id}
                project={props.project}
                call={call}
                columns={columns}
                values={props.values.get(call.id)}
                index={index}
                start={start}
                isCursor={call.id === props.cursor}
                isOpened={call.id === props.opened}
                isSelected={selected.has(call.id)}
                onOpen={props.onOpen}
                onSelect={props.onSelect}
              />
            )
          })}
        </div>
      </div>
      <p className={styles.footer} role="status">
        {props.footer}
      </p>
    </div>
  )
}

/** In a text search the match column replaces the input and output previews. */
function searchColumns(columns: readonly Column[]): readonly Column[] {
  const others = columns.filter(({ name }) => name !== 'input' && name !== 'output')
  const at = others.findIndex(({ name }) => name === 'name') + 1
  return [...others.slice(0, at), MATCH_COLUMN, ...others.slice(at)]
}

interface HeaderCellProps {
  readonly column: Column
  readonly sort: ListQuery['sort']
  readonly onSort: (sort: string | undefined) => void
}

function HeaderCell({ column, sort, onSort }: HeaderCellProps) {
  const field = column.sortField
  // The default order is newest first.
  const current = sort ?? { field: 'started_at', direction: 'desc' as const }
  const direction = field === current.field ? current.direction : undefined
  const next = direction === 'desc' ? field : `-${field}`
  const aria = direction === undefined ? 'none' : direction === 'desc' ? 'descending' : 'ascending'
  return (
    <div
      role="columnheader"
      className={styles.cell}
      data-number={column.isNumber}
      {...(field === undefined ? {} : { 'aria-sort': aria })}
    >
      {field === undefined ? (
        <span className={styles.label}>{column.label}</span>
      ) : (
        <Tooltip label={direction === 'desc' ? 'Sort ascending' : 'Sort descending'}>
          <button
            type="button"
            className={styles.sort}
            onClick={() => onSort(next === '-started_at' ? undefined : next)}
          >
            {column.label}
            {direction !== undefined && (
              <Icon name={direction === 'desc' ? 'chevronDown' : 'chevronUp'} size={12} />
            )}
          </button>
        </Tooltip>
      )}
    </div>
  )
}

interface RowProps {
  readonly project: Project
  readonly call: CallListItem | MatchedCall
  readonly columns: readonly Column[]
  readonly values: ReadonlyMap<string, string> | undefined
  readonly index: number
  readonly start: number
  readonly isCursor: boolean
  readonly isOpened: boolean
  readonly isSelected: boolean
  readonly onOpen: (id: string) => void
  readonly onSelect: (id: string, isRange: boolean) => void
}

const Row = memo(function Row(props: RowProps) {
  const { call, onOpen, onSelect } = props
  const open = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    // The click ended a text selection, which the user may want to copy.
    if (window.getSelection()?.type === 'Range') return
    onOpen(call.id)
  }
  return (
    <div
      role="row"
      aria-rowindex={props.index + 2}
      aria-selected={props.isSelected}
      className={styles.row}
      data-cursor={props.isCursor || undefined}
      data-opened={props.isOpened || undefined}
      style={{ transform: `translateY(${props.start}px)` }}
      onClick={open}
    >
      <div role="gridcell" className={styles.check} onClick={(event) => event.stopPropagation()}>
        <NativeCheckbox
          aria-label={`Select ${call.name}`}
          tabIndex={-1}
          checked={props.isSelected}
          onChange={(event) => onSelect(call.id, (event.nativeEvent as unknown as PointerEvent).shiftKey)}
        />
      </div>
      {props.columns.map((column) => (
        <div key={column.name} role="gridcell" className={styles.cell} data-number={column.isNumber}>
          {column.name === 'match' && 'matches' in call ? (
            <Matches call={call} />
          ) : (
            <Cell project={props.project} column={column} call={call} values={props.values} />
          )}
        </div>
      ))}
    </div>
  )
})
