import { SegmentedControl } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { inPath, useProject } from '../api/project.ts'
import { Chart } from '../charts/chart.tsx'
import { groupFilter, joinedFilter, otherFilter } from '../dashboard/group-filter.ts'
import { groupKeyOf, numberCharts } from '../dashboard/metric-charts.ts'
import { useNumbers } from '../dashboard/use-metrics.ts'
import { Failure } from '../ui/failure.tsx'
import { formatCost } from '../ui/format.ts'
import { PageHead } from '../ui/page-head.tsx'
import { useTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { printRange } from '../time/range.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import { readQuestion } from '../traces/list-question.ts'
import { Arithmetic } from './calculation.tsx'
import styles from './costs-page.module.css'
import type { CostsSearch } from './costs-search.ts'
import { PriceList } from './price-list.tsx'
import { Unpriced } from './unpriced.tsx'
import { useCosts } from './use-costs.ts'

const HERE = '/$entity/$project/weave/costs'

/** What the project cost, how that adds up, and the prices behind it; what has no price comes first. */
export function CostsPage() {
  const project = useProject()
  useTitle('Costs', project.project_id)
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const change = (
    next: { [Key in keyof CostsSearch]: CostsSearch[Key] | undefined },
    replace = false,
  ): void => void navigate({ search: (before) => ({ ...before, ...next }) as CostsSearch, replace })
  const question = useMemo(() => readQuestion({ range: search.range ?? '30d' }), [search.range])
  const costs = useCosts(project, question.range)
  return (
    <div className={styles.page}>
      <PageHead
        title="Costs"
        about={costs.data === undefined ? '' : `${formatCost(Number(costs.data.cost.text))} together`}
      >
        <SegmentedControl
          aria-label="How it is shown"
          value={search.view === 'tables' ? 'tables' : 'charts'}
          onChange={(value) => change({ view: value === 'tables' ? 'tables' : undefined })}
          data={[
            { value: 'charts', label: 'Chart' },
            { value: 'tables', label: 'Table' },
          ]}
        />
        <TimeRangeMenu range={question.range} onRange={(range) => change({ range })} />
      </PageHead>
      <div className={styles.body}>
        <div className={styles.content}>
          {costs.isError ? (
            <Failure error={costs.error} retry={() => void costs.refetch()} />
          ) : costs.data === undefined ? (
            <p className={styles.faint} role="status">
              Adding up…
            </p>
          ) : (
            <>
              <Unpriced
                project={project}
                unpriced={costs.data.unpriced}
                opened={search.model}
                onOpen={(model) => change({ model })}
              />
              <CostChart question={question} isTable={search.view === 'tables'} />
              {costs.data.terms.length > 0 ? (
                <Arithmetic costs={costs.data} />
              ) : (
                <p className={styles.faint}>
                  Nothing of this time has a cost. Costs come from the usage that calls report; SDKs record it
                  for most providers.
                </p>
              )}
            </>
          )}
          <PriceList
            project={project}
            find={search.find ?? ''}
            withBuiltIn={search.prices === 'all'}
            isAdding={search.model === '*'}
            onFind={(find) => change({ find: find === '' ? undefined : find }, true)}
            onBuiltIn={(isOn) => change({ prices: isOn ? 'all' : undefined })}
            onAdding={(isOn) => change({ model: isOn ? '*' : undefined })}
          />
        </div>
      </div>
    </div>
  )
}

/** Cost by model and day. */
function CostChart(props: { readonly question: ReturnType<typeof readQuestion>; readonly isTable: boolean }) {
  const project = useProject()
  const { question } = props
  const numbers = useNumbers(project, question, 'model', 'day')
  const navigate = useNavigate()
  const data = numbers.data ?? undefined
  const chart = useMemo(
    () =>
      data === undefined
        ? undefined
        : numberCharts(data, 'traces', 'p95').find(({ title }) => title === 'Cost'),
    [data],
  )
  if (data === undefined || chart === undefined) return null
  const behind = (series: number | undefined, range = printRange(question.range)) => {
    const group = series === undefined ? undefined : data.groups[series]
    const filter = joinedFilter(undefined, [
      series === undefined
        ? undefined
        : group === undefined
          ? otherFilter('model', data.groups.map(groupKeyOf))
          : groupFilter('model', groupKeyOf(group)),
    ])
    return { range, ...(filter === undefined ? {} : { filter }) }
  }
  const dayOf = (index: number): string =>
    `${new Date(data.times[index] ?? data.startMs).toISOString()}..${new Date(data.times[index + 1] ?? data.endMs).toISOString()}`
  return (
    <Chart
      title="Cost by model and day"
      about={chart.about}
      times={data.times}
      endMs={data.endMs}
      series={chart.series}
      kind="bars"
      format={formatCost}
      totalLabel="total"
      isTable={props.isTable}
      linkSeries={(series) => (
        <Link
          to="/$entity/$project/weave/traces"
          params={inPath(project)}
          search={behind(series)}
          preload={false}
        >
          {visibleText(chart.series[series]?.name ?? '')}
        </Link>
      )}
      linkTime={(index, text) => (
        <Link
          to="/$entity/$project/weave/traces"
          params={inPath(project)}
          search={behind(undefined, dayOf(index))}
          preload={false}
        >
          {text}
        </Link>
      )}
      onPick={(index, series) =>
        void navigate({
          to: '/$entity/$project/weave/traces',
          params: inPath(project),
          search: behind(series, dayOf(index)),
        })
      }
    />
  )
}
