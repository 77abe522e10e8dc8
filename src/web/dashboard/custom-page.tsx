import { Button } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { projectParams, useProject } from '../api/project.ts'
import { WriteOnly } from '../api/role.tsx'
import { FilterBox } from '../filter/filter-box.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { parseRange, printRange } from '../time/range.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import { BucketSelect } from './bucket-select.tsx'
import { ChartDialog } from './chart-dialog.tsx'
import { ChartGrid } from './chart-grid.tsx'
import { DashboardActions } from './dashboard-actions.tsx'
import { DashboardMenu } from './dashboard-menu.tsx'
import styles from './dashboard-page.module.css'
import {
  type ChartDefinition,
  type ChartsChange,
  MAX_CHARTS,
  newChartId,
  newMetricChart,
} from './definition.ts'
import type { RangeSelection } from './metric-chart-view.tsx'
import { RangeSelectionBar } from './range-selection-bar.tsx'
import { useDashboards, useSaveDashboard } from './use-dashboards.ts'
import { useChangeSearch } from '../use-change-search.ts'

const HERE = '/$entity/$project/weave/dashboards/$dashboard_id'

/** A dashboard that people defined. Time range, filter and bucket size are in the URL, the charts in its object. */
export function CustomDashboardPage() {
  const project = useProject()
  const { dashboard_id } = useParams({ from: HERE })
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const change = useChangeSearch('dashboard')
  const dashboards = useDashboards(project)
  const dashboard = dashboards.data?.find(({ object_id }) => object_id === dashboard_id)
  useDocumentTitle(dashboard?.label ?? 'Dashboard', project.project_id)
  const save = useSaveDashboard(project)
  const [edited, setEdited] = useState<ChartDefinition>()
  const [selection, setSelection] = useState<RangeSelection>()
  const params = projectParams(project)
  const range = parseRange(search.range)
  const saveCharts = (charts: ChartsChange, onSuccess?: () => void): void =>
    save.mutate({ object_id: dashboard_id, change: charts }, { onSuccess: () => onSuccess?.() })
  const addChart = (): void => setEdited(newMetricChart())

  if (dashboards.isError && dashboards.data === undefined) {
    return <ErrorNotice error={dashboards.error} retry={() => void dashboards.refetch()} />
  }
  if (dashboards.data === undefined) return null
  if (dashboard === undefined) {
    return (
      <EmptyState
        icon="chart"
        title="Dashboard not found"
        actions={
          <Button onClick={() => void navigate({ to: '/$entity/$project/weave/dashboards', params })}>
            Show all dashboards
          </Button>
        }
      >
        The dashboard <code className="isolate">{visibleText(dashboard_id)}</code> does not exist. It may have
        been deleted.
      </EmptyState>
    )
  }
  const isFull = dashboard.charts.length >= MAX_CHARTS
  return (
    <Page>
      <PageHeader title={<span className="isolate">{visibleText(dashboard.label)}</span>}>
        <DashboardMenu project={project} range={search.range} />
        <WriteOnly>
          <ActionButton
            icon="plus"
            disabled={isFull}
            title={isFull ? `A dashboard has at most ${MAX_CHARTS} charts` : undefined}
            onClick={addChart}
          >
            Add chart
          </ActionButton>
        </WriteOnly>
        <DashboardActions
          project={project}
          dashboard={dashboard}
          existing={dashboards.data}
          onDuplicated={(object_id) =>
            void navigate({ params: { ...params, dashboard_id: object_id }, search })
          }
          onDeleted={() => void navigate({ to: '/$entity/$project/weave/dashboards', params })}
        />
      </PageHeader>
      <div className={styles.tools}>
        <FilterBox
          project={project}
          range={range}
          filter={search.filter}
          text={undefined}
          onApply={({ filter, text }) =>
            // Metrics do not support text search, so it opens the traces list.
            text === undefined
              ? change({ filter })
              : void navigate({
                  to: '/$entity/$project/weave/traces',
                  params,
                  search: { text, range: printRange(range) },
                })
          }
        />
        <TimeRangeMenu range={range} onRange={(next) => change({ range: next })} />
        <BucketSelect bucket={search.bucket} onChange={(bucket) => change({ bucket })} />
      </div>
      <div className="scroll">
        <div className={styles.content}>
          {save.isError && edited === undefined && <ErrorNotice error={save.error} />}
          {dashboard.charts.length === 0 ? (
            <EmptyState
              icon="chart"
              title="No charts yet"
              actions={<Button onClick={addChart}>Add chart</Button>}
            >
              A chart shows a measure of calls over time or by group: count, errors, latency, tokens, cost, a
              score or any other number of a call, or the result of a saved SQL query.
            </EmptyState>
          ) : (
            <ChartGrid
              project={project}
              charts={dashboard.charts}
              search={search}
              isBusy={save.isPending}
              onChange={saveCharts}
              onEdit={setEdited}
              onDuplicate={(chart) => setEdited({ ...chart, id: newChartId() })}
              onSelect={setSelection}
            />
          )}
        </div>
      </div>
      <ChartDialog
        project={project}
        chart={edited}
        isNew={dashboard.charts.every(({ id }) => id !== edited?.id)}
        search={search}
        isPending={save.isPending}
        error={save.error}
        onClose={() => {
          save.reset()
          setEdited(undefined)
        }}
        onSave={(chart) => saveCharts({ kind: 'put', chart }, () => setEdited(undefined))}
      />
      {selection !== undefined && (
        <RangeSelectionBar
          project={project}
          range={selection.range}
          callsSearch={selection.search}
          noun="calls"
          onZoom={() => {
            setSelection(undefined)
            change({ range: selection.range })
          }}
          onClear={() => setSelection(undefined)}
        />
      )}
    </Page>
  )
}
