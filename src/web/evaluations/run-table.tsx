import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { projectParams, useProject, type Project } from '../api/project.ts'
import { StatusIcon } from '../call/status-icon.tsx'
import { Cost, Latency } from '../traces/cells.tsx'
import { type GridColumn, numberColumn } from '../ui/data-grid/column.ts'
import { DataGrid, type LoadedPages } from '../ui/data-grid/data-grid.tsx'
import gridStyles from '../ui/data-grid/data-grid.module.css'
import { formatCompact, formatCount, formatScore } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatTime } from '../time/format.ts'
import type { NamedVersion, Run } from './run.ts'
import styles from './run-table.module.css'

interface Props {
  readonly runs: readonly Run[]
  /** Number of trials by run id. */
  readonly counts: ReadonlyMap<string, number>
  readonly cursor: string | undefined
  readonly selected: ReadonlySet<string>
  readonly onCursor: (id: string | undefined) => void
  readonly onOpen: (id: string) => void
  readonly onSelect: (selected: ReadonlySet<string>) => void
  readonly onEvaluation: (name: string) => void
  readonly pages: LoadedPages
}

/** Table of runs. */
export function RunTable({ runs, counts, onEvaluation, ...props }: Props) {
  const project = useProject()
  const columns = useMemo(() => runColumns(project, counts, onEvaluation), [project, counts, onEvaluation])
  const cursorAt = runs.findIndex(({ id }) => id === props.cursor)
  return (
    <DataGrid
      label="Evaluation runs"
      regionLabel="List of runs"
      layoutName="runs"
      rows={runs}
      rowId={({ id }) => id}
      columns={columns}
      rowHeightPx={48}
      cursor={cursorAt < 0 ? undefined : { row: cursorAt }}
      onCursor={({ row }) => props.onCursor(runs[row]?.id)}
      selection={{
        selected: props.selected,
        onSelect: props.onSelect,
        label: ({ name }) => `Select ${name}`,
      }}
      onOpen={({ id }) => props.onOpen(id)}
      pages={props.pages}
    />
  )
}

function runColumns(
  project: Project,
  counts: Props['counts'],
  onEvaluation: Props['onEvaluation'],
): readonly GridColumn<Run>[] {
  return [
    {
      id: 'run',
      label: 'Run',
      width: 'minmax(200px, 1.5fr)',
      cell: ({ id, name, call, model }) => (
        <>
          <StatusIcon status={call.status} isStale={call.isStale} />
          <span className={styles.run}>
            <Link
              className={`${gridStyles.name} isolate`}
              to="/$entity/$project/weave/evaluations/$call_id"
              params={{ ...projectParams(project), call_id: id }}
              search={{}}
            >
              {name === '' ? call.name : name}
            </Link>
            <span className="hint">
              <ModelName model={model} />
            </span>
          </span>
        </>
      ),
    },
    {
      id: 'evaluation',
      label: 'Evaluation',
      width: 'minmax(110px, 0.8fr)',
      cell: ({ evaluation: { name } }) =>
        name !== '' && (
          <button
            type="button"
            className={`${gridStyles.action} isolate`}
            title="Filter by this evaluation"
            onClick={() => onEvaluation(name)}
          >
            {visibleText(name)}
          </button>
        ),
    },
    {
      id: 'scores',
      label: 'Scores',
      width: 'minmax(220px, 2.4fr)',
      cell: ({ scores }) => (
        <span className={styles.scores}>
          {scores.map(({ name, value, isShare }) => (
            <span key={name} className={styles.score} title={`${name} ${value}`}>
              <span className="faint isolate">{visibleText(name)}</span> {formatScore(value, isShare)}
            </span>
          ))}
        </span>
      ),
    },
    numberColumn('started', 'Started', '136px', ({ call: { started_at } }) => (
      <time title={started_at}>{formatTime(started_at)}</time>
    )),
    numberColumn('trials', 'Trials', '60px', ({ id }) => {
      const count = counts.get(id)
      return count === undefined ? '' : formatCount(count)
    }),
    numberColumn('duration', 'Duration', '80px', ({ call }) => <Latency call={call} />),
    numberColumn('tokens', 'Tokens', '76px', ({ call: { tokens } }) =>
      tokens === undefined ? (
        ''
      ) : (
        <span title={formatCount(tokens.total)}>{formatCompact(tokens.total)}</span>
      ),
    ),
    numberColumn('cost', 'Cost', '92px', ({ call }) => <Cost call={call} />),
  ]
}

/** The model name with a short version digest, which distinguishes versions of the same name. */
export function ModelName({ model }: { readonly model: NamedVersion }) {
  return (
    <span className="isolate">
      {visibleText(model.name)}
      {model.digest !== '' && <span className={styles.digest}> {model.digest.slice(0, 6)}</span>}
    </span>
  )
}
