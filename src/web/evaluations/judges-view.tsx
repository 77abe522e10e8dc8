import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { SimpleTable } from '../ui/simple-table.tsx'
import { visibleText } from '../ui/visible-text.ts'
import gridStyles from '../ui/data-grid/data-grid.module.css'
import type { Search, SearchChange } from '../search-state.ts'
import { JudgeReport } from './judge-report.tsx'
import viewStyles from './run-views.module.css'

interface Props {
  readonly project: Project
  readonly search: Search<'evaluations'>
  readonly onChange: (next: SearchChange<'evaluations'>) => void
}

/** The scorers of calls: which of them people have checked, and the report card of one. */
export function JudgesView({ project, search, onChange }: Props) {
  const list = useQuery({
    queryKey: ['scorers', project.project_id],
    queryFn: ({ signal }) => api.call('scorers_checked', projectParams(project), signal),
  })
  if (list.error !== null) return <ErrorNotice error={list.error} retry={() => void list.refetch()} />
  if (list.data === undefined)
    return (
      <p className="loading" role="status">
        Loading scorers…
      </p>
    )
  const { scorers } = list.data
  if (scorers.length === 0)
    return (
      <EmptyState icon="evaluations" title="No scorers of calls yet">
        Scorers that an SDK applies to calls (<code>call.apply_scorer(…)</code>) appear here. Label some of
        the same calls in a review queue to see how far the scorer agrees with people.
      </EmptyState>
    )
  const selected = scorers.find(({ scorer }) => scorer === search.judge)
  const label = selected?.labels.find((name) => name === search.label) ?? selected?.labels[0]
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Judges">
      <div className={viewStyles.content}>
        <SimpleTable
          caption="Scorers"
          isFramed
          rows={scorers}
          rowKey={({ scorer }) => scorer}
          isCurrent={({ scorer }) => scorer === selected?.scorer}
          columns={[
            {
              label: 'Scorer',
              isRowHeader: true,
              cell: ({ scorer, labeled }) =>
                labeled === 0 ? (
                  <span className="isolate">{visibleText(scorer)}</span>
                ) : (
                  <button
                    type="button"
                    className={`${gridStyles.action} isolate`}
                    aria-pressed={scorer === selected?.scorer}
                    onClick={() =>
                      onChange({
                        judge: scorer === selected?.scorer ? undefined : scorer,
                        label: undefined,
                        path: undefined,
                      })
                    }
                  >
                    {visibleText(scorer)}
                  </button>
                ),
            },
            {
              label: 'Checked',
              cell: ({ labeled }) =>
                labeled === 0 ? (
                  <span className="difference" data-tone="worse" title="People labeled none of its calls">
                    unchecked
                  </span>
                ) : (
                  `by ${formatCount(labeled)} labeled calls`
                ),
            },
            { label: 'Scored calls', isNumber: true, cell: ({ judged }) => formatCount(judged) },
            { label: 'Versions', isNumber: true, cell: ({ versions }) => formatCount(versions) },
          ]}
        />
        {selected !== undefined && label !== undefined && (
          <>
            <div className={viewStyles.tools}>
              <label className="row gap-6 faint">
                Label
                <select
                  className={viewStyles.select}
                  value={label}
                  onChange={(event) => onChange({ label: event.target.value })}
                >
                  {selected.labels.map((name) => (
                    <option key={name} value={name}>
                      {visibleText(name)}
                    </option>
                  ))}
                </select>
              </label>
              <label className="row gap-6 faint">
                Field of the score
                <input
                  className={viewStyles.select}
                  defaultValue={search.path ?? ''}
                  placeholder="the score itself"
                  onBlur={(event) => onChange({ path: event.target.value.trim() || undefined })}
                  onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
                />
              </label>
            </div>
            <JudgeReport project={project} scorer={selected.scorer} label={label} path={search.path} />
          </>
        )}
      </div>
    </div>
  )
}
