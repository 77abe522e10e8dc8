import { Modal } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useMemo, useRef, useState } from 'react'
import { projectParams, type Project } from '../api/project.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { columnKind } from './column-kinds.ts'
import styles from './result-table.module.css'
import type { SqlResult } from './use-sql.ts'

const ROW_HEIGHT = 28
/** Longer values open in a dialog. */
const MAX_INLINE_CHARACTERS = 48
const PREVIEW_CHARACTERS = 300

interface Props {
  readonly project: Project
  readonly query: string
  readonly result: SqlResult
}

/** Virtualized table of a query result. */
export function ResultTable({ project, query, result }: Props) {
  const { columns, rows } = result
  const scroller = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<{ readonly name: string; readonly text: string }>()
  const shown = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 15,
  })
  const template = useMemo(() => columnWidths(result), [result])
  const isCallId = (name: string): boolean =>
    name === 'call_id' || (name === 'id' && /\bfrom\s+calls\b/i.test(query))
  const style = { '--columns': template } as CSSProperties
  return (
    <div ref={scroller} className={styles.scroller} tabIndex={0} role="region" aria-label="Result rows">
      <div
        role="table"
        aria-label="Query result"
        aria-rowcount={rows.length + 1}
        className={styles.grid}
        style={style}
      >
        <div role="rowgroup">
          <div role="row" aria-rowindex={1} className={styles.head}>
            {columns.map((column, i) => (
              <div
                key={i}
                role="columnheader"
                className={styles.cell}
                data-number={columnKind(column) === 'number' || undefined}
                title={column.type}
              >
                <span className="isolate">{visibleText(column.name)}</span>
                <span className={styles.type}>{column.type}</span>
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={styles.body} style={{ height: shown.getTotalSize() }}>
          {shown.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              {columns.map((column, i) => {
                const text = rows[index]?.[i] ?? ''
                return (
                  <div
                    key={i}
                    role="cell"
                    className={styles.cell}
                    data-number={columnKind(column) === 'number' || undefined}
                    data-null={text === 'null' || undefined}
                  >
                    {isCallId(column.name) ? (
                      <Link
                        to="/$entity/$project/weave/calls/$call_id"
                        params={{ ...projectParams(project), call_id: text }}
                        search={{}}
                        preload={false}
                        className={styles.link}
                      >
                        {visibleText(text)}
                      </Link>
                    ) : text.length > MAX_INLINE_CHARACTERS ? (
                      <button
                        type="button"
                        className={`${styles.long} isolate`}
                        onClick={() => setOpened({ name: column.name, text })}
                      >
                        <span className="visually-hidden">{column.name}: </span>
                        {visibleText(text.slice(0, PREVIEW_CHARACTERS))}
                        <span className="visually-hidden">… show all</span>
                      </button>
                    ) : (
                      <span className="isolate">{visibleText(text)}</span>
                    )}
                  </div>
                )
              })}
            </div>
          ))}
        </div>
      </div>
      <Modal
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={visibleText(opened?.name ?? '')}
        size="xl"
      >
        {opened !== undefined && (
          <>
            <CopyButton text={opened.text} label="Copy value" hasLabel />
            <pre className={styles.fullValue} tabIndex={0}>
              {visibleText(opened.text)}
            </pre>
          </>
        )}
      </Modal>
    </div>
  )
}

const CHARACTER_PX = 7.4
const MIN_WIDTH_PX = 90
const MAX_WIDTH_PX = 380

/** Column widths that fit the first rows. The last column takes the remaining width. */
function columnWidths({ columns, rows }: SqlResult): string {
  return columns
    .map((column, i) => {
      const head = column.name.length * 8.5 + Math.min(16, column.type.length) * 6.5 + 8
      const maxLength = Math.max(0, ...rows.slice(0, 200).map((row) => row[i]?.length ?? 0))
      const width = Math.max(MIN_WIDTH_PX, head, maxLength * CHARACTER_PX) + 24
      const px = Math.round(Math.min(MAX_WIDTH_PX, width))
      return i === columns.length - 1 ? `minmax(${px}px, 1fr)` : `${px}px`
    })
    .join(' ')
}
