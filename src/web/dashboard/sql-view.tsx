import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { projectParams, type Project } from '../api/project.ts'
import { ChartFrame } from '../charts/chart-frame.tsx'
import { ResultTable } from '../sql/result-table.tsx'
import { useSavedQueries } from '../sql/saved-queries.ts'
import { SavedResultChart } from '../sql/sql-chart.tsx'
import { useSql } from '../sql/use-sql.ts'
import type { SqlDefinition } from './definition.ts'
import styles from './metric-view.module.css'

interface Props {
  readonly project: Project
  readonly definition: SqlDefinition
}

/** The result of a saved SQL query, as the SQL page shows it: a chart, or a table. */
export function SqlView({ project, definition }: Props) {
  const queries = useSavedQueries(project)
  const saved = queries.data?.find(({ object_id }) => object_id === definition.query)
  const result = useSql(project, saved?.search.query)
  const title = definition.title === '' ? (saved?.label ?? 'SQL query') : definition.title
  const link =
    saved === undefined ? null : (
      <Link
        to="/$entity/$project/weave/sql"
        params={projectParams(project)}
        search={{ ...saved.search, saved: saved.object_id }}
        className="faint"
      >
        Open query
      </Link>
    )
  if (saved !== undefined && result.data !== undefined && result.data.rows.length > 0) {
    const { view, x, y, query = '' } = saved.search
    if (view === 'chart') {
      return <SavedResultChart result={result.data} title={title} x={x} y={y} about={link} />
    }
    return (
      <ChartFrame title={title} about={link}>
        <div className={styles.table}>
          <ResultTable project={project} query={query} result={result.data} label={title} />
        </div>
      </ChartFrame>
    )
  }
  return (
    <ChartFrame title={title} about={link}>
      {result.isError ? (
        <div className={`${styles.error} note bad`} role="alert">
          <p>{result.error.message}</p>
          <Button variant="default" onClick={() => void result.refetch()}>
            Try again
          </Button>
        </div>
      ) : (
        <p className={styles.faint} role="status">
          {queries.data !== undefined && saved === undefined
            ? 'The saved query was deleted. Edit the chart to choose another one.'
            : result.data === undefined
              ? 'Loading…'
              : 'The query returned no rows.'}
        </p>
      )}
    </ChartFrame>
  )
}
