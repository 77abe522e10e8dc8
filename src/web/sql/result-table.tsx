import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { projectParams, type Project } from '../api/project.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import type { GridColumn } from '../ui/data-grid/column.ts'
import { Dialog } from '../ui/dialog.tsx'
import gridStyles from '../ui/data-grid/data-grid.module.css'
import { DataGrid } from '../ui/data-grid/data-grid.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { columnKind } from './column-kinds.ts'
import styles from './result-table.module.css'
import type { SqlResult } from './use-sql.ts'

/** Longer values open in a dialog. */
const MAX_INLINE_CHARACTERS = 48
const PREVIEW_CHARACTERS = 300

type Row = SqlResult['rows'][number]

interface Props {
  readonly project: Project
  readonly query: string
  readonly result: SqlResult
  /** Name of the table for screen readers. */
  readonly label?: string
}

/** Table of a query result. */
export function ResultTable({ project, query, result, label }: Props) {
  const [opened, setOpened] = useState<{ readonly name: string; readonly text: string }>()
  const columns = useMemo(() => {
    const isCallId = (name: string): boolean =>
      name === 'call_id' || (name === 'id' && /\bfrom\s+calls\b/i.test(query))
    return result.columns.map((column, i): GridColumn<Row> => ({
      id: String(i),
      label: column.name,
      header: (
        <>
          <span className="isolate">{visibleText(column.name)}</span>
          <span className={styles.type}>{column.type}</span>
        </>
      ),
      title: column.type,
      width: columnWidth(result, i),
      ...(columnKind(column) === 'number' && { isNumber: true }),
      cellState: (row) => (row[i] === 'null' ? 'null' : undefined),
      cell: (row) => {
        const text = row[i] ?? ''
        if (isCallId(column.name)) return <CallLink project={project} id={text} />
        if (text.length <= MAX_INLINE_CHARACTERS) return <span className="isolate">{visibleText(text)}</span>
        return (
          <button
            type="button"
            className={`${gridStyles.action} isolate`}
            onClick={() => setOpened({ name: column.name, text })}
          >
            <span className="visually-hidden">{column.name}: </span>
            {visibleText(text.slice(0, PREVIEW_CHARACTERS))}
            <span className="visually-hidden">… show all</span>
          </button>
        )
      },
    }))
  }, [project, query, result])
  return (
    <div className={styles.result}>
      <DataGrid
        role="table"
        label={label ?? 'Query result'}
        regionLabel={label === undefined ? 'Result rows' : `${label}, rows`}
        className={styles.grid}
        rows={result.rows}
        rowId={(_row, index) => String(index)}
        columns={columns}
        rowHeightPx={28}
      />
      <Dialog
        title={visibleText(opened?.name ?? '')}
        isOpen={opened !== undefined}
        onClose={() => setOpened(undefined)}
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
      </Dialog>
    </div>
  )
}

function CallLink({ project, id }: { readonly project: Project; readonly id: string }) {
  return (
    <Link
      to="/$entity/$project/weave/calls/$call_id"
      params={{ ...projectParams(project), call_id: id }}
      search={{}}
      preload={false}
      className={styles.link}
    >
      {visibleText(id)}
    </Link>
  )
}

const CHARACTER_PX = 7.4
const MIN_WIDTH_PX = 90
const MAX_WIDTH_PX = 380

/** A width that fits the first rows. The last column takes the remaining width. */
function columnWidth({ columns, rows }: SqlResult, i: number): string {
  const { name = '', type = '' } = columns[i] ?? {}
  const head = name.length * 8.5 + Math.min(16, type.length) * 6.5 + 8
  const maxLength = Math.max(0, ...rows.slice(0, 200).map((row) => row[i]?.length ?? 0))
  const width = Math.max(MIN_WIDTH_PX, head, maxLength * CHARACTER_PX) + 24
  const px = Math.round(Math.min(MAX_WIDTH_PX, width))
  return i === columns.length - 1 ? `minmax(${px}px, 1fr)` : `${px}px`
}
