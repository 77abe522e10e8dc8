import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { projectParams, useProject } from '../api/project.ts'
import { WriteOnly } from '../api/role.tsx'
import { formatAgo } from '../time/format.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { ABOUT, ACTIONS, LINK, LinkList, LinkRow } from '../ui/link-list.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
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
    <Page isScrolling>
      <PageHeader title="Dashboards">
        <WriteOnly>
          <ActionButton icon="plus" onClick={() => setNaming({ kind: 'new' })}>
            New dashboard
          </ActionButton>
        </WriteOnly>
      </PageHeader>
      {dashboards.isError && dashboards.data === undefined && (
        <ErrorNotice error={dashboards.error} retry={() => void dashboards.refetch()} />
      )}
      <LinkList label="Dashboards" columns="minmax(160px, 3fr) minmax(120px, 2fr) minmax(120px, 1fr) 28px">
        <LinkRow>
          <Link to="/$entity/$project/weave/dashboard" params={params} search={{}} className={LINK}>
            Overview
          </Link>
          <span className={ABOUT}>Calls, errors, latency, tokens and cost</span>
        </LinkRow>
        {dashboards.data?.map((dashboard) => (
          <LinkRow key={dashboard.object_id}>
            <Link
              to="/$entity/$project/weave/dashboards/$dashboard_id"
              params={{ ...params, dashboard_id: dashboard.object_id }}
              search={{}}
              className={`${LINK} isolate`}
            >
              {visibleText(dashboard.label)}
            </Link>
            <span className={ABOUT}>
              {dashboard.charts.length === 1 ? '1 chart' : `${dashboard.charts.length} charts`}
            </span>
            <span className={ABOUT}>
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
              className={ACTIONS}
              onDuplicated={open}
              onDeleted={() => undefined}
            />
          </LinkRow>
        ))}
      </LinkList>
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
    </Page>
  )
}
