import { Modal } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useMemo, useRef, useState } from 'react'
import { inPath, type Project } from '../api/project.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { kindOf } from './column-kinds.ts'
import styles from './result-table.module.css'
import type { SqlResult } from './use-sql.ts'

const ROW_HEIGHT = 28
/** What is longer can be opened. */
const LONG_CHARACTERS = 48
const SHOWN_CHARACTERS = 300

interface Props {
  readonly project: Project
  readonly query: string
  readonly result: SqlResult
}

/** Rows of an answer, of which only those are drawn that can be seen. */
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
  const template = useMemo(() => widthsOf(result), [result])
  const isCallId = (name: string): boolean =>
    name === 'call_id' || (name === 'id' && /\bfrom\s+calls\b/i.test(query))
  const style = { '--columns': template } as CSSProperties
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      tabIndex={0}
      role="region"
      aria-label="Rows of the answer"
    >
      <div
        role="table"
        aria-label="Answer"
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
                data-number={kindOf(column) === 'number' || undefined}
                title={column.type}
              >
                <span className="foreign">{visibleText(column.name)}</span>
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
                    data-number={kindOf(column) === 'number' || undefined}
                    data-null={text === 'null' || undefined}
                  >
                    {isCallId(column.name) ? (
                      <Link
                        to="/$entity/$project/weave/calls/$call_id"
                        params={{ ...inPath(project), call_id: text }}
                        search={{}}
                        preload={false}
                        className={styles.link}
                      >
                        {visibleText(text)}
                      </Link>
                    ) : text.length > LONG_CHARACTERS ? (
                      <button
                        type="button"
                        className={`${styles.long} foreign`}
                        onClick={() => setOpened({ name: column.name, text })}
                      >
                        <span className="visually-hidden">{column.name}: </span>
                        {visibleText(text.slice(0, SHOWN_CHARACTERS))}
                        <span className="visually-hidden">… show all of it</span>
                      </button>
                    ) : (
                      <span className="foreign">{visibleText(text)}</span>
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
            <CopyButton text={opened.text} label="Copy the value" isWide />
            <pre className={styles.whole} tabIndex={0}>
              {visibleText(opened.text)}
            </pre>
          </>
        )}
      </Modal>
    </div>
  )
}

const CHARACTER_PX = 7.4
const NARROWEST_PX = 90
const WIDEST_PX = 380

/** As wide as the first rows want it; the last column takes what is left. */
function widthsOf({ columns, rows }: SqlResult): string {
  return columns
    .map((column, i) => {
      const head = column.name.length * 8.5 + Math.min(16, column.type.length) * 6.5 + 8
      const longest = Math.max(0, ...rows.slice(0, 200).map((row) => row[i]?.length ?? 0))
      const wanted = Math.max(NARROWEST_PX, head, longest * CHARACTER_PX) + 24
      const px = Math.round(Math.min(WIDEST_PX, wanted))
      return i === columns.length - 1 ? `minmax(${px}px, 1fr)` : `${px}px`
    })
    .join(' ')
}
