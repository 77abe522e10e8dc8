import { useCallback, useMemo, useRef, useState } from 'react'
import type { Project } from '../api/project.ts'
import { useCanWrite, WriteOnly } from '../api/role.tsx'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { type CellPosition, DatasetGrid, type GridRow } from './dataset-grid.tsx'
import styles from './dataset-view.module.css'
import { addRows, draftRow, isDraftEmpty, setCell, toggleRemoved } from './draft.ts'
import { ExportRowsMenu } from './export-rows-menu.tsx'
import { EditBar } from './edit-bar.tsx'
import { UnsavedChangesGuard } from './unsaved-changes-guard.tsx'
import { RowPanel } from './row-panel.tsx'
import { collectColumns } from './row-text.ts'
import { type TableSource, tableSource, useRowCount, useTableRows } from './table-rows.ts'
import type { DatasetVersion } from './use-datasets.ts'
import { useDraft } from './use-draft.ts'
import type { Search, SearchChange } from '../search-state.ts'

interface Props {
  readonly project: Project
  readonly version: DatasetVersion
  readonly latest: DatasetVersion | undefined
  readonly search: Search<'version'>
  readonly onSearch: (next: SearchChange<'version'>) => void
}

/** The rows of a dataset, read-only or in edit mode. Edits are published as a new version. */
export function DatasetView(props: Props) {
  const val = props.version.val.text
  const source = useMemo(() => tableSource(val), [val])
  const count = useRowCount(props.project, source)
  if (source === undefined) {
    return (
      <EmptyState icon="table" title="Rows cannot be shown">
        The rows of this version are neither a table on this server nor a list. See the Value tab.
      </EmptyState>
    )
  }
  if (count.isError) return <ErrorNotice error={count.error} retry={() => void count.refetch()} />
  if (count.data === undefined) return null
  return <Rows {...props} source={source} count={count.data} />
}

interface RowsProps extends Props {
  readonly source: TableSource
  readonly count: number
}

function Rows({ project, version, latest, search, onSearch, source, count }: RowsProps) {
  const isEditing = search.edit === 'on'
  const history = useDraft(count)
  const { draft, change, undo, redo } = history
  const [range, setRange] = useState({ from: 0, to: 50 })
  const onRange = useCallback((from: number, to: number) => setRange({ from, to }), [])
  const rows = useTableRows(project, source, count, range.from, range.to)
  const [addedColumns, setAddedColumns] = useState<readonly string[]>([])
  const columns = useColumns(rows.pages, draft.added, [...draft.changed.values()], addedColumns)
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 })
  const [editedCell, setEditedCell] = useState<CellPosition>()
  const grid = useRef<HTMLDivElement>(null)
  const total = count + (isEditing ? draft.added.length : 0)

  const rowAt = useCallback(
    (index: number): GridRow => {
      const original = index < count ? rows.at(index) : undefined
      if (!isEditing) return { text: original, original, state: 'unchanged' }
      const text = draftRow(draft, index) ?? original
      const state = draft.removed.has(index)
        ? 'removed'
        : index >= count
          ? 'added'
          : draft.changed.has(index)
            ? 'changed'
            : 'unchanged'
      return { text, original, state }
    },
    [rows.at, draft, isEditing, count],
  )
  const stopEditing = (): void => {
    setEditedCell(undefined)
    grid.current?.focus()
  }
  const save = (position: CellPosition, json: string | undefined): void => {
    const { text, original } = rowAt(position.row)
    const column = columns[position.column]
    if (text !== undefined && column !== undefined) {
      change(setCell(draft, position.row, text, original, column, json))
    }
    stopEditing()
  }
  const addRow = (): void => {
    change(addRows(draft, ['{}']))
    setActive({ row: total, column: 0 })
    if (columns.length > 0) setEditedCell({ row: total, column: 0 })
  }
  const canWrite = useCanWrite()
  const openRow = search.row === undefined ? undefined : Number(search.row) - 1
  useShortcuts('Dataset', [
    ...(isEditing
      ? [
          { keys: 'mod+z', label: 'Undo', run: () => undo?.() },
          { keys: 'mod+y', label: 'Redo', run: () => redo?.() },
        ]
      : !canWrite
        ? []
        : [{ keys: 'e', label: 'Edit dataset', run: () => onSearch({ edit: 'on' }) }]),
    ...(openRow === undefined
      ? []
      : [{ keys: 'Escape', label: 'Close row', run: () => onSearch({ row: undefined }) }]),
  ])
  const openRowText = openRow === undefined ? undefined : rowAt(openRow).text
  return (
    <div className="column">
      {isEditing ? (
        <EditBar
          project={project}
          version={version}
          latest={latest}
          source={source}
          history={history}
          columns={columns}
          onAddRow={addRow}
          onAddColumn={(name) => {
            setAddedColumns([...addedColumns, name])
            if (total === 0) change(addRows(draft, ['{}']))
          }}
          onDone={() => {
            history.reset()
            setAddedColumns([])
            onSearch({ edit: undefined })
          }}
        />
      ) : (
        <div className={styles.tools}>
          <span className="faint grow">{count === 1 ? '1 row' : `${formatCount(count)} rows`}</span>
          {source.kind === 'stored' && (
            <ExportRowsMenu project={project} digest={source.digest} name={version.object_id} />
          )}
          <WriteOnly>
            <LinkButton
              variant="default"
              leftSection={<Icon name="upload" size={14} />}
              to="/$entity/$project/weave/new-dataset"
              params={{ entity: project.entity, project: project.project }}
              search={{ into: version.object_id }}
            >
              Add rows from file
            </LinkButton>
            <ActionButton icon="edit" onClick={() => onSearch({ edit: 'on' })}>
              Edit
            </ActionButton>
          </WriteOnly>
        </div>
      )}
      <div className={styles.content}>
        {rows.error !== null ? (
          <ErrorNotice error={rows.error} />
        ) : total === 0 ? (
          <EmptyState icon="table" title="No rows yet">
            {isEditing
              ? 'Add a column first, then rows.'
              : 'Edit the dataset to add rows, or add rows from a file.'}
          </EmptyState>
        ) : (
          <DatasetGrid
            label={`Rows of ${version.object_id}`}
            columns={columns}
            count={total}
            rowAt={rowAt}
            active={active}
            onActive={setActive}
            openRow={openRow}
            onOpen={(row) => onSearch({ row: String(row + 1) })}
            onRange={onRange}
            gridRef={grid}
            {...(isEditing
              ? {
                  editing: {
                    cell: editedCell,
                    onStart: (position: CellPosition) => {
                      setActive(position)
                      setEditedCell(position)
                    },
                    onSave: save,
                    onCancel: stopEditing,
                    onRemove: (row: number) => change(toggleRemoved(draft, row)),
                  },
                }
              : {})}
          />
        )}
        {openRow !== undefined && openRowText !== undefined && (
          <RowPanel
            index={openRow}
            count={total}
            text={openRowText}
            onRow={(row) => onSearch({ row: row === undefined ? undefined : String(row + 1) })}
          />
        )}
      </div>
      <UnsavedChangesGuard isDirty={isEditing && !isDraftEmpty(draft)} />
    </div>
  )
}

/** The columns in stable order: columns found in later pages are appended. */
function useColumns(
  pages: readonly (readonly string[])[],
  ...more: readonly (readonly string[])[]
): readonly string[] {
  const known = useRef<readonly string[]>([])
  const [added = [], changed = [], addedColumns = []] = more
  return useMemo(() => {
    for (const rows of [...pages, changed, added]) known.current = collectColumns(rows, known.current)
    return [...new Set([...known.current, ...addedColumns])]
  }, [pages, added, changed.length, changed.at(-1), addedColumns])
}
