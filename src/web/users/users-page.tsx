import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { projectParams, type Project, useProject } from '../api/project.ts'
import { parseRange } from '../time/range.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import type { GridColumn } from '../ui/data-grid/column.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatCount } from '../ui/format.ts'
import { Page, PageHeader } from '../ui/page.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { ActivityGrid } from './activity-grid.tsx'
import { type Activity, MAX_GROUPS, readGroups } from './read-groups.ts'
import styles from './users.module.css'
import { readRank } from './rank.ts'
import { useChangeSearch } from '../use-change-search.ts'

const HERE = '/$entity/$project/weave/users'

/** The end users of the application, with what they use. */
export function UsersPage() {
  const project = useProject()
  useDocumentTitle('Users', project.project_id)
  const search = useSearch({ from: HERE })
  const change = useChangeSearch('users')
  const range = parseRange(search.range)
  const rank = readRank(search.rank)
  const users = useQuery({
    queryKey: ['end users', project.project_id, range, rank],
    queryFn: ({ signal }) => readGroups(project, { by: 'end_user', range, rank }, signal),
    placeholderData: keepPreviousData,
  })
  const nameColumn = useMemo(() => userColumn(project), [project])
  const rows = users.data ?? []
  return (
    <Page>
      <PageHeader
        title="Users"
        summary={
          users.data === undefined
            ? ''
            : rows.length >= MAX_GROUPS - 1
              ? `top ${formatCount(rows.length)}`
              : formatCount(rows.length)
        }
      >
        <TimeRangeMenu range={range} onRange={(text) => change({ range: text })} />
      </PageHeader>
      <ActivityGrid
        noun="users"
        query={users}
        nameColumn={nameColumn}
        rank={rank}
        onRank={(next) => change({ rank: next })}
        empty={
          <NoUsers project={project} isAll={range.kind === 'all'} onAll={() => change({ range: 'all' })} />
        }
      />
    </Page>
  )
}

function userColumn(project: Project): GridColumn<Activity> {
  return {
    id: 'end_user',
    label: 'User',
    width: 'minmax(200px, 1fr)',
    isRowHeader: true,
    cell: ({ key }) => (
      <Link
        to="/$entity/$project/weave/users/$end_user"
        params={{ ...projectParams(project), end_user: key }}
        search={{}}
        className={styles.link}
      >
        <span className="isolate">{visibleText(key)}</span>
      </Link>
    ),
  }
}

function NoUsers(props: { readonly project: Project; readonly isAll: boolean; readonly onAll: () => void }) {
  return (
    <EmptyState
      icon="smile"
      title={props.isAll ? 'No users yet' : 'No users in this time range'}
      actions={!props.isAll && <Button onClick={props.onAll}>Show all time</Button>}
    >
      A user of your application, as it sends them with each trace: in Python with{' '}
      <code>weave.attributes(&#123;&quot;user_id&quot;: …&#125;)</code>, in OpenTelemetry with the attribute{' '}
      <code>user.id</code>.
    </EmptyState>
  )
}
