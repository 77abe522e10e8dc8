import { Button, Checkbox, Popover, SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'
import { EmptyState } from '../ui/empty-state.tsx'
import { toggled } from '../ui/toggled.ts'
import { visibleText } from '../ui/visible-text.ts'
import { leaderboardColumns, leaderboardRows } from './leaderboard.ts'
import { LeaderboardTable } from './leaderboard-table.tsx'
import type { Run } from './run.ts'
import styles from './run-views.module.css'
import type { Search, SearchChange } from '../search-state.ts'

interface Props {
  /** Newest first. */
  readonly runs: readonly Run[]
  readonly search: Search<'evaluations'>
  readonly onChange: (next: SearchChange<'evaluations'>) => void
}

/** Models ranked by the metrics of their runs. */
export function LeaderboardView({ runs, search, onChange }: Props) {
  const lowerIsBetter = useMemo(
    () => new Set((search.lower ?? '').split(',').filter((name) => name !== '')),
    [search.lower],
  )
  const pick = search.pick === 'best' ? 'best' : 'newest'
  const hasVersions = search.rows === 'versions'
  const columns = useMemo(() => leaderboardColumns(runs, lowerIsBetter), [runs, lowerIsBetter])
  const rows = useMemo(
    () => leaderboardRows(runs, columns, { pick, hasVersions }),
    [runs, columns, pick, hasVersions],
  )
  const scores = [...new Set(runs.flatMap((run) => run.scores.map(({ name }) => name)))]
  if (columns.length === 0)
    return (
      <EmptyState icon="evaluations" title="No scores yet">
        Scores appear here when a run ends.
      </EmptyState>
    )
  return (
    <>
      <div className={styles.tools}>
        <SegmentedControl
          aria-label="Runs of a model"
          value={pick}
          onChange={(value) => onChange({ pick: value === 'best' ? 'best' : undefined })}
          data={[
            { value: 'newest', label: 'Newest run' },
            { value: 'best', label: 'Best run' },
          ]}
        />
        <SegmentedControl
          aria-label="Rows"
          value={hasVersions ? 'versions' : 'models'}
          onChange={(value) => onChange({ rows: value === 'versions' ? 'versions' : undefined })}
          data={[
            { value: 'models', label: 'Models' },
            { value: 'versions', label: 'Model versions' },
          ]}
        />
        {scores.length > 0 && (
          <Popover position="bottom-start" trapFocus returnFocus>
            <Popover.Target>
              <Button variant="default">Lower is better</Button>
            </Popover.Target>
            <Popover.Dropdown className="stack gap-6">
              {scores.map((name) => (
                <Checkbox
                  key={name}
                  label={<span className="isolate">{visibleText(name)}</span>}
                  checked={lowerIsBetter.has(name)}
                  onChange={() =>
                    onChange({ lower: [...toggled(lowerIsBetter, name)].join(',') || undefined })
                  }
                />
              ))}
            </Popover.Dropdown>
          </Popover>
        )}
      </div>
      <LeaderboardTable
        label="Leaderboard"
        columns={columns}
        rows={rows}
        sort={search.sort}
        onSort={(sort) => onChange({ sort })}
      />
    </>
  )
}
