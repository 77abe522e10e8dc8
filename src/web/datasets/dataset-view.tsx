import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { Project } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import type { ObjectVersion } from '../objects/object-kind.ts'
import type { VersionSearch } from '../objects/objects-search.ts'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { type CellPlace, DatasetGrid, type GridRow } from './dataset-grid.tsx'
import styles from './dataset-view.module.css'
import { addRows, draftRow, isEmpty, setCell, toggleRemoved } from './draft.ts'
import { EditBar } from './edit-bar.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { RowPanel } from './row-panel.tsx'
import { columnsOf } from './row-text.ts'
import { type TableSource, tableOf, useRowCount, useTableRows } from './table-rows.ts'
import { useDraft } from './use-draft.ts'

interface Props {
  readonly project: Project
  readonly version: ObjectVersion
  readonly latest: ObjectVersion | undefined
  readonly search: VersionSearch
  readonly onSearch: (next: { [Key in keyof VersionSearch]: VersionSearch[Key] | undefined }) => void
}

/** The rows of a dataset: to read, and to edit and publish as the next version. */
export function DatasetView(props: Props) {
  const val = props.version.val.text
  const source = useMemo(() => tableOf(val), [val])
  const count = useRowCount(props.project, source)
  if (source === undefined) {
    return (
      <Empty icon="table" title="Its rows cannot be shown">
        What this version calls rows is neither a table of this server nor a list. Its value tells what it is.
      </Empty>
    )
  }
  if (count.isError) return <Failure error={count.error} retry={() => void count.refetch()} />
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
  const [own, setOwn] = useState<readonly string[]>([])
  const columns = useColumns(rows.pages, draft.added, [...draft.changed.values()], own)
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 })
  const [edited, setEdited] = useState<CellPlace>()
  const grid = useRef<HTMLDivElement>(null)
  const total = count + (isEditing ? draft.added.length : 0)

  const rowAt = useCallback(
    (index: number): GridRow => {
      const original = index < count ? rows.at(index) : undefined
      if (!isEditing) return { text: original, original, state: 'kept' }
      const text = draftRow(draft, index) ?? original
      const state = draft.removed.has(index)
        ? 'removed'
        : index >= count
          ? 'added'
          : draft.changed.has(index)
            ? 'changed'
            : 'kept'
      return { text, original, state }
    },
    [rows.at, draft, isEditing, count],
  )
  const leave = (): void => {
    setEdited(undefined)
    grid.current?.focus()
  }
  const save = (place: CellPlace, json: string | undefined): void => {
    const { text, original } = rowAt(place.row)
    const column = columns[place.column]
    if (text !== undefined && column !== undefined) {
      change(setCell(draft, place.row, text, original, column, json))
    }
    leave()
  }
  const addRow = (): void => {
    change(addRows(draft, ['{}']))
    setActive({ row: total, column: 0 })
    if (columns.length > 0) setEdited({ row: total, column: 0 })
  }
  const opened = search.row === undefined ? undefined : Number(search.row) - 1
  useShortcuts('Dataset', [
    ...(isEditing
      ? [
          { keys: 'mod+z', label: 'Undo', run: () => undo?.() },
          { keys: 'mod+y', label: 'Redo', run: () => redo?.() },
        ]
      : [{ keys: 'e', label: 'Edit the dataset', run: () => onSearch({ edit: 'on' }) }]),
    ...(opened === undefined
      ? []
      : [{ keys: 'Escape', label: 'Close the row', run: () => onSearch({ row: undefined }) }]),
  ])
  const openedText = opened === undefined ? undefined : rowAt(opened).text
  return (
    <div className={styles.view}>
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
            setOwn([...own, name])
            if (total === 0) change(addRows(draft, ['{}']))
          }}
          onDone={() => {
            history.reset()
            setOwn([])
            onSearch({ edit: undefined })
          }}
        />
      ) : (
        <div className={styles.tools}>
          <span className={styles.count}>{count === 1 ? '1 row' : `${formatCount(count)} rows`}</span>
          <Button
            component="div"
            className={styles.button}
            variant="default"
            leftSection={<Icon name="upload" size={14} />}
            renderRoot={(root) => (
              <Link
                {...root}
                to="/$entity/$project/weave/new-dataset"
                params={{ entity: project.entity, project: project.project }}
                search={{ into: version.object_id }}
              />
            )}
          >
            Add rows from a file
          </Button>
          <Button leftSection={<Icon name="edit" size={14} />} onClick={() => onSearch({ edit: 'on' })}>
            Edit
          </Button>
        </div>
      )}
      <div className={styles.content}>
        {rows.error !== null ? (
          <Failure error={rows.error} />
        ) : total === 0 ? (
          <Empty icon="table" title="No rows yet">
            {isEditing
              ? 'Add a column first, then rows.'
              : 'Edit the dataset to write rows, or add them from a file.'}
          </Empty>
        ) : (
          <DatasetGrid
            label={`Rows of ${version.object_id}`}
            columns={columns}
            count={total}
            rowAt={rowAt}
            active={active}
            onActive={setActive}
            opened={opened}
            onOpen={(row) => onSearch({ row: String(row + 1) })}
            onRange={onRange}
            gridRef={grid}
            {...(isEditing
              ? {
                  editing: {
                    at: edited,
                    onBegin: (place: CellPlace) => {
                      setActive(place)
                      setEdited(place)
                    },
                    onSave: save,
                    onLeave: leave,
                    onRemove: (row: number) => change(toggleRemoved(draft, row)),
                  },
                }
              : {})}
          />
        )}
        {opened !== undefined && openedText !== undefined && (
          <RowPanel
            index={opened}
            count={total}
            text={openedText}
            onRow={(row) => onSearch({ row: row === undefined ? undefined : String(row + 1) })}
          />
        )}
      </div>
      <LeaveGuard isNeeded={isEditing && !isEmpty(draft)} />
    </div>
  )
}

/** Columns stay where they are while others are found further down. */
function useColumns(
  pages: readonly (readonly string[])[],
  ...more: readonly (readonly string[])[]
): readonly string[] {
  const known = useRef<readonly string[]>([])
  const [added = [], changed = [], own = []] = more
  return useMemo(() => {
    for (const rows of [...pages, changed, added]) known.current = columnsOf(rows, known.current)
    return [...new Set([...known.current, ...own])]
  }, [pages, added, changed.length, changed.at(-1), own])
}
