import { SegmentedControl } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useProject } from '../api/project.ts'
import { MetricChartView } from '../dashboard/metric-chart-view.tsx'
import { measureChart } from '../dashboard/metric-charts.ts'
import { useMetrics } from '../dashboard/use-metrics.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatKnownCost } from '../ui/format.ts'
import { Page, PageHeader } from '../ui/page.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import { type ListQuery, parseListQuery } from '../traces/list-query.ts'
import { Calculation } from './calculation.tsx'
import styles from './costs-page.module.css'
import { PriceList } from './price-list.tsx'
import { UnpricedModels } from './unpriced-models.tsx'
import { useCosts } from './use-costs.ts'
import { useChangeSearch } from '../use-change-search.ts'

const HERE = '/$entity/$project/weave/costs'

/** Costs of a project: unpriced models first, then cost over time, the calculation and the prices. */
export function CostsPage() {
  const project = useProject()
  useDocumentTitle('Costs', project.project_id)
  const search = useSearch({ from: HERE })
  const change = useChangeSearch('costs')
  const changeText = useChangeSearch('costs', { replace: true })
  const listQuery = useMemo(() => parseListQuery({ range: search.range ?? '30d' }), [search.range])
  const costs = useCosts(project, listQuery.range)
  return (
    <Page>
      <PageHeader
        title="Costs"
        summary={
          costs.data === undefined
            ? ''
            : `${formatKnownCost(Number(costs.data.cost.text), costs.data.unpriced.length > 0)} total`
        }
      >
        <SegmentedControl
          aria-label="View"
          value={search.view === 'tables' ? 'tables' : 'charts'}
          onChange={(value) => change({ view: value === 'tables' ? 'tables' : undefined })}
          data={[
            { value: 'charts', label: 'Chart' },
            { value: 'tables', label: 'Table' },
          ]}
        />
        <TimeRangeMenu range={listQuery.range} onRange={(range) => change({ range })} />
      </PageHeader>
      <div className={styles.body}>
        <div className={styles.content}>
          {costs.isError ? (
            <ErrorNotice error={costs.error} retry={() => void costs.refetch()} />
          ) : costs.data === undefined ? (
            <p className="faint" role="status">
              Loading…
            </p>
          ) : (
            <>
              <UnpricedModels
                project={project}
                unpriced={costs.data.unpriced}
                openModel={search.model}
                onOpenModel={(model) => change({ model })}
              />
              <CostChart listQuery={listQuery} isTable={search.view === 'tables'} />
              {costs.data.terms.length > 0 ? (
                <Calculation costs={costs.data} />
              ) : (
                <p className="faint">
                  No costs in this time range. Costs are computed from the token usage that calls report; the
                  SDKs record it for most providers.
                </p>
              )}
            </>
          )}
          <PriceList
            project={project}
            search={search.find ?? ''}
            includeBuiltIn={search.prices === 'all'}
            isAdding={search.model === '*'}
            onSearch={(find) => changeText({ find: find === '' ? undefined : find })}
            onBuiltIn={(isOn) => change({ prices: isOn ? 'all' : undefined })}
            onAdding={(isOn) => change({ model: isOn ? '*' : undefined })}
          />
        </div>
      </div>
    </Page>
  )
}

/** Cost by model and day. */
function CostChart(props: { readonly listQuery: ListQuery; readonly isTable: boolean }) {
  const project = useProject()
  const { listQuery } = props
  const metrics = useMetrics(project, listQuery, 'model', 'day', COST_BY_MODEL)
  const data = metrics.data ?? undefined
  const chart = useMemo(
    () => (data === undefined ? undefined : measureChart(data, 'cost', 'Cost by model and day', true)),
    [data],
  )
  if (data === undefined || chart === undefined) return null
  return (
    <MetricChartView
      project={project}
      listQuery={listQuery}
      data={data}
      chart={chart}
      isTable={props.isTable}
    />
  )
}

const COST_BY_MODEL = { measures: ['cost'], isGroupsOnly: true } as const
