import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { projectParams, useProject } from '../api/project.ts'
import { formatAgo } from '../time/format.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { DashboardActions } from './dashboard-actions.tsx'
import { DashboardNameDialog, type DashboardNaming } from './dashboard-dialogs.tsx'
import styles from './dashboards-page.module.css'
import { useDashboards } from './use-dashboards.ts'

/** The dashboards of a project: the overview, and those that people defined. */
export function DashboardsPage() {
  const project = useProject()
  useDocumentTitle('Dashboards', project.project_id)
  const dashboards = useDashboards(project)
  const navigate = useNavigate()
  const [naming, setNaming] = useState<DashboardNaming>()
  const params = projectParams(project)
  const open = (dashboard_id: string): void =>
    void navigate({
      to: '/$entity/$project/weave/dashboards/$dashboard_id',
      params: { ...params, dashboard_id },
      search: {},
    })
  return (
    <div className={styles.page}>
      <PageHeader title="Dashboards">
        <Button leftSection={<Icon name="plus" size={13} />} onClick={() => setNaming({ kind: 'new' })}>
          New dashboard
        </Button>
      </PageHeader>
      {dashboards.isError && dashboards.data === undefined && (
        <ErrorNotice error={dashboards.error} retry={() => void dashboards.refetch()} />
      )}
      <ul className={styles.list} aria-label="Dashboards">
        <li className={styles.row}>
          <Link to="/$entity/$project/weave/dashboard" params={params} search={{}} className={styles.name}>
            Overview
          </Link>
          <span className={styles.about}>Calls, errors, latency, tokens and cost</span>
        </li>
        {dashboards.data?.map((dashboard) => (
          <li key={dashboard.object_id} className={styles.row}>
            <Link
              to="/$entity/$project/weave/dashboards/$dashboard_id"
              params={{ ...params, dashboard_id: dashboard.object_id }}
              search={{}}
              className={`${styles.name} isolate`}
            >
              {visibleText(dashboard.label)}
            </Link>
            <span className={styles.about}>
              {dashboard.charts.length === 1 ? '1 chart' : `${dashboard.charts.length} charts`}
            </span>
            <span className={styles.about}>
              {dashboard.user !== null && (
                <>
                  <span className="isolate">{visibleText(dashboard.user)}</span> ·{' '}
                </>
              )}
              {formatAgo(dashboard.savedAt, Date.now())}
            </span>
            <DashboardActions
              project={project}
              dashboard={dashboard}
              existing={dashboards.data}
              className={styles.actions}
              onDuplicated={open}
              onDeleted={() => undefined}
            />
          </li>
        ))}
      </ul>
      {dashboards.data?.length === 0 && (
        <p className={styles.hint}>
          Create a dashboard with the charts that matter to you: cost by model, errors of one op, a score over
          time, the result of a SQL query. Everyone in the project sees it.
        </p>
      )}
      <DashboardNameDialog
        project={project}
        naming={naming}
        existing={dashboards.data ?? []}
        onClose={() => setNaming(undefined)}
        onSaved={(object_id) => {
          setNaming(undefined)
          open(object_id)
        }}
      />
    </div>
  )
}
