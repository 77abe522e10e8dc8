import { useMemo } from 'react'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import type { MatrixRow } from './matrix.ts'
import chipStyles from './evaluations-page.module.css'
import viewStyles from './run-views.module.css'
import { sliceName } from './slice-table.tsx'
import { NO_VALUE, sliceColumns } from './slices.ts'

interface Props {
  readonly rows: readonly MatrixRow[]
  readonly path: string | undefined
  /** Key of the slice that the matrix shows. */
  readonly value: string | undefined
  readonly onPath: (path: string | undefined) => void
  readonly onClear: () => void
}

/** Choice of the column that divides the examples into slices, and the slice that is shown. */
export function SliceMenu({ rows, path, value, onPath, onClear }: Props) {
  const columns = useMemo(() => sliceColumns(rows), [rows])
  if (columns.length === 0 && path === undefined) return null
  const isKnown = path === undefined || columns.some((column) => column.path === path)
  const name = value === undefined ? '' : value === NO_VALUE ? 'no value' : sliceName(value)
  return (
    <>
      <label className="row gap-6 faint">
        Slice by
        <select
          className={viewStyles.select}
          value={path ?? ''}
          onChange={(event) => onPath(event.target.value === '' ? undefined : event.target.value)}
        >
          <option value="">none</option>
          {!isKnown && <option value={path}>{visibleText(path)}</option>}
          {columns.map((column) => (
            <option key={column.path} value={column.path}>
              {visibleText(column.path)} ({column.valueCount})
            </option>
          ))}
        </select>
      </label>
      {path !== undefined && value !== undefined && (
        <button
          type="button"
          className={chipStyles.chip}
          aria-label={`Remove filter: ${path} = ${name}`}
          onClick={onClear}
        >
          <span className="isolate">
            {visibleText(path)} = {name}
          </span>
          <Icon name="close" size={12} />
        </button>
      )}
    </>
  )
}
