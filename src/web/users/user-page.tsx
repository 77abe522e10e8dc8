import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { projectParams, type Project, useProject } from '../api/project.ts'
import { groupFilter } from '../dashboard/group-filter.ts'
import { MetricTiles } from '../dashboard/metric-tiles.tsx'
import { useMetrics } from '../dashboard/use-metrics.ts'
import { printFilter } from '../filter/print.ts'
import { parseRange } from '../time/range.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import { parseListQuery } from '../traces/list-query.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import type { GridColumn } from '../ui/data-grid/column.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { ActivityGrid } from './activity-grid.tsx'
import { type Activity, readGroups } from './read-groups.ts'
import styles from './users.module.css'
import { readRank } from './rank.ts'
import { useChangeSearch } from '../use-change-search.ts'

const HERE = '/$entity/$project/weave/users/$end_user'

/** One end user: totals, and the sessions of the user. */
export function UserPage() {
  const project = useProject()
  const { end_user } = useParams({ from: HERE })
  useDocumentTitle(end_user, 'Users', project.project_id)
  const search = useSearch({ from: HERE })
  const change = useChangeSearch('users')
  const range = parseRange(search.range)
  const rank = readRank(search.rank)
  const filter = useMemo(() => groupFilter('end_user', end_user), [end_user])
  const listSearch = useMemo(
    () => ({ filter: printFilter(filter), ...(search.range === undefined ? {} : { range: search.range }) }),
    [filter, search.range],
  )
  const metrics = useMetrics(
    project,
    useMemo(() => parseListQuery(listSearch), [listSearch]),
    undefined,
    undefined,
  )
  const sessions = useQuery({
    queryKey: ['sessions of', project.project_id, end_user, range, rank],
    queryFn: ({ signal }) => readGroups(project, { by: 'session', range, filter, rank }, signal),
    placeholderData: keepPreviousData,
  })
  const nameColumn = useMemo(() => sessionColumn(project), [project])
  const overall = metrics.data?.overall
  return (
    <Page>
      <PageHeader title={<span className="isolate">{visibleText(end_user)}</span>} summary="user">
        <CopyButton text={end_user} label="Copy user" />
        <LinkButton
          variant="default"
          to="/$entity/$project/weave/traces"
          params={projectParams(project)}
          search={listSearch}
        >
          View traces
        </LinkButton>
        <LinkButton
          variant="default"
          to="/$entity/$project/weave/dashboard"
          params={projectParams(project)}
          search={listSearch}
        >
          View dashboard
        </LinkButton>
        <TimeRangeMenu range={range} onRange={(text) => change({ range: text })} />
      </PageHeader>
      {metrics.isError && <ErrorNotice error={metrics.error} retry={() => void metrics.refetch()} />}
      {overall !== undefined && <MetricTiles all={overall} noun="traces" />}
      <h2 className={styles.section}>Sessions</h2>
      <ActivityGrid
        noun="sessions"
        query={sessions}
        nameColumn={nameColumn}
        rank={rank}
        onRank={(next) => change({ rank: next })}
        empty={
          <EmptyState icon="threads" title="No sessions in this time range">
            A session is a thread of Weave, or the attribute <code>session_id</code> or{' '}
            <code>session.id</code>.
          </EmptyState>
        }
      />
    </Page>
  )
}

function sessionColumn(project: Project): GridColumn<Activity> {
  return {
    id: 'session',
    label: 'Session',
    width: 'minmax(200px, 1fr)',
    isRowHeader: true,
    cell: ({ key }) => (
      <Link
        to="/$entity/$project/weave/traces"
        params={projectParams(project)}
        search={{ filter: printFilter(groupFilter('session', key)), range: 'all' }}
        className={styles.link}
      >
        <span className="isolate">{visibleText(key)}</span>
      </Link>
    ),
  }
}
