import { SegmentedControl } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { inPath, useProject } from '../api/project.ts'
import { Chart } from '../charts/chart.tsx'
import type { Filter } from '../filter/ast.ts'
import { FilterBox } from '../filter/filter-box.tsx'
import { parseFilter } from '../filter/parse.ts'
import { Failure } from '../ui/failure.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { printRange } from '../time/range.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import { readQuestion } from '../traces/list-question.ts'
import type { ListSearch } from '../traces/list-search.ts'
import { NothingFound } from '../traces/nothing-found.tsx'
import { BUCKETS } from './buckets.ts'
import { DrawnTime } from './drawn-time.tsx'
import { groupFilter, joinedFilter, otherFilter } from './group-filter.ts'
import { GroupMenu } from './group-menu.tsx'
import { groupKeyOf, type NumberChart, numberCharts, PERCENTILES, readPercentile } from './metric-charts.ts'
import styles from './dashboard-page.module.css'
import type { NumbersSearch } from './dashboard-search.ts'
import { Tiles } from './tiles.tsx'
import { type Numbers, useNumbers } from './use-metrics.ts'

const HERE = '/$entity/$project/weave/dashboard'

/** A project in numbers over time. Every number leads to the calls that it counts. */
export function NumbersPage() {
  const project = useProject()
  useTitle('Numbers', project.project_id)
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const change = useCallback(
    (next: { [Key in keyof NumbersSearch]: NumbersSearch[Key] | undefined }) =>
      void navigate({ search: (before) => ({ ...before, ...next }) as NumbersSearch }),
    [navigate],
  )
  const question = useMemo(() => readQuestion(search), [search.filter, search.range, search.show])
  const numbers = useNumbers(project, question, search.by, search.bucket)
  const [drawn, setDrawn] = useState<{ readonly range: string; readonly search: ListSearch }>()
  const noun = question.rootsOnly ? 'traces' : 'calls'
  const percentile = readPercentile(search.percentile)
  const data = numbers.data ?? undefined
  const charts = useMemo(
    () => (data === undefined ? [] : numberCharts(data, noun, percentile)),
    [data, noun, percentile],
  )
  const isNothing = data === undefined || data.overall === undefined || countOf(data) === 0

  /** Where the calls behind a part of a chart are listed. */
  const behind = (
    chart: NumberChart,
    series: number | undefined,
    range = printRange(question.range),
  ): ListSearch => {
    const own = chart.search.filter === undefined ? undefined : parseFilter(chart.search.filter)
    const filter = joinedFilter(question.filter, [
      own?.ok === true ? own.filter : undefined,
      data === undefined ? undefined : seriesFilter(data, chart, series),
    ])
    return {
      range,
      ...(filter === undefined ? {} : { filter }),
      ...(search.show === undefined ? {} : { show: search.show }),
      ...(chart.search.sort === undefined ? {} : { sort: chart.search.sort }),
    }
  }
  const toCalls = (next: ListSearch): void =>
    void navigate({ to: '/$entity/$project/weave/traces', params: inPath(project), search: next })

  return (
    <div className={styles.page}>
      <PageHead title="Numbers" about={data === undefined ? '' : `each bar is one ${data.bucket}`}>
        <SegmentedControl
          aria-label="What is counted"
          value={question.rootsOnly ? 'traces' : 'calls'}
          onChange={(value) => change({ show: value === 'calls' ? 'calls' : undefined })}
          data={[
            { value: 'traces', label: 'Traces' },
            { value: 'calls', label: 'All calls' },
          ]}
        />
        <SegmentedControl
          aria-label="How it is shown"
          value={search.view === 'tables' ? 'tables' : 'charts'}
          onChange={(value) => change({ view: value === 'tables' ? 'tables' : undefined })}
          data={[
            { value: 'charts', label: 'Charts' },
            { value: 'tables', label: 'Tables' },
          ]}
        />
      </PageHead>
      <div className={styles.tools}>
        <FilterBox
          project={project}
          range={question.range}
          filter={search.filter}
          text={undefined}
          onAsk={({ filter, text }) =>
            // Numbers cannot be asked for a text; the list can.
            text === undefined ? change({ filter }) : toCalls({ text, range: printRange(question.range) })
          }
        />
        <GroupMenu by={search.by} onBy={(by) => change({ by })} />
        <TimeRangeMenu range={question.range} onRange={(range) => change({ range })} />
        <label className={styles.bucket}>
          <span className="visually-hidden">Width of a bar</span>
          <select
            className={styles.select}
            value={search.bucket ?? ''}
            onChange={(event) =>
              change({ bucket: event.target.value === '' ? undefined : event.target.value })
            }
          >
            <option value="">auto</option>
            {BUCKETS.map((bucket) => (
              <option key={bucket} value={bucket}>
                per {bucket}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className={styles.body}>
        {question.trouble !== undefined ? (
          <p className={styles.trouble} role="alert">
            The filter cannot be read: {question.trouble.reason}.
          </p>
        ) : numbers.isError && data === undefined ? (
          <Failure error={numbers.error} retry={() => void numbers.refetch()} />
        ) : numbers.data === undefined ? (
          <p className={styles.waiting} role="status">
            Counting…
          </p>
        ) : isNothing ? (
          <NothingFound
            project={project}
            question={question}
            onClear={() => change({ filter: undefined })}
            onRange={(range) => change({ range })}
          />
        ) : (
          <div className={styles.content} aria-busy={numbers.isPlaceholderData}>
            {data?.overall !== undefined && <Tiles all={data.overall} noun={noun} />}
            {!question.rootsOnly && (
              <p className={styles.hint}>
                SDKs add the tokens of a call to those of its callers. Over all calls tokens and costs
                therefore count more than once; traces count them once.
              </p>
            )}
            <div className={styles.charts}>
              {data !== undefined &&
                charts.map((chart) => (
                  <Chart
                    key={chart.title}
                    title={chart.title}
                    about={
                      chart.title === 'Latency' && data.by !== undefined ? (
                        <SegmentedControl
                          aria-label="Which percentile"
                          value={percentile}
                          onChange={(value) => change({ percentile: value === 'p95' ? undefined : value })}
                          data={[...PERCENTILES]}
                        />
                      ) : (
                        chart.about
                      )
                    }
                    times={data.times}
                    endMs={data.endMs}
                    series={chart.series}
                    kind={chart.kind}
                    isWhole={chart.isWhole}
                    format={chart.format}
                    totalLabel={chart.totalLabel}
                    isTable={search.view === 'tables'}
                    linkSeries={(series) => (
                      <Link
                        to="/$entity/$project/weave/traces"
                        params={inPath(project)}
                        search={behind(chart, series)}
                        preload={false}
                      >
                        {visibleText(chart.series[series]?.name ?? '')}
                      </Link>
                    )}
                    linkTime={(index, text) => (
                      <Link
                        to="/$entity/$project/weave/traces"
                        params={inPath(project)}
                        search={behind(chart, undefined, bucketRange(data, index, index))}
                        preload={false}
                      >
                        {text}
                      </Link>
                    )}
                    onPick={(index, series) =>
                      toCalls(behind(chart, series, bucketRange(data, index, index)))
                    }
                    onDrag={(from, to) => {
                      const range = bucketRange(data, from, to)
                      setDrawn({ range, search: behind(chart, undefined, range) })
                    }}
                  />
                ))}
            </div>
          </div>
        )}
      </div>
      {drawn !== undefined && (
        <DrawnTime
          project={project}
          range={drawn.range}
          search={drawn.search}
          noun={noun}
          onZoom={() => {
            setDrawn(undefined)
            change({ range: drawn.range })
          }}
          onClear={() => setDrawn(undefined)}
        />
      )}
    </div>
  )
}

function countOf({ overall }: Numbers): number {
  const count = overall?.totals['count'] ?? 0
  return typeof count === 'number' ? count : Number(count.text)
}

/** What the calls of a series have in common; layers that are no groups have nothing but the chart's own. */
function seriesFilter(
  { groups, by }: Numbers,
  chart: NumberChart,
  series: number | undefined,
): Filter | undefined {
  if (series === undefined) return undefined
  if (by === undefined) {
    return chart.series[series]?.name === 'failed' && chart.search.filter === undefined
      ? { kind: 'compare', field: 'status', operator: '=', value: { kind: 'text', text: 'error' } }
      : undefined
  }
  const group = groups[series]
  return group === undefined ? otherFilter(by, groups.map(groupKeyOf)) : groupFilter(by, groupKeyOf(group))
}

/** The first bucket may begin before the time that is looked at, the last may end after it. */
function bucketRange({ times, startMs, endMs }: Numbers, from: number, to: number): string {
  const fromMs = Math.max(startMs, times[from] ?? startMs)
  const toMs = Math.min(endMs, times[to + 1] ?? endMs)
  return `${new Date(fromMs).toISOString()}..${new Date(toMs).toISOString()}`
}
