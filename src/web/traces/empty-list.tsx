import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { formatTime } from '../time/format.ts'
import { rangeLabel } from '../time/range.ts'
import type { ListQuery } from './list-query.ts'

interface Props {
  readonly project: Project
  readonly listQuery: ListQuery
  readonly onClear: () => void
  readonly onRange: (range: string) => void
}

/** Empty state of the list: the project has no calls, none in the time range, or none that match. */
export function EmptyList({ project, listQuery, onClear, onRange }: Props) {
  const newest = useQuery({
    queryKey: ['newest', project.project_id],
    queryFn: async ({ signal }) => {
      const { calls } = await api.call(
        'project_calls',
        { ...projectParams(project), columns: ['id'], limit: 1 },
        signal,
      )
      return calls[0]?.started_at ?? null
    },
  })
  if (newest.data === undefined) return null
  if (newest.data === null) {
    return (
      <EmptyState
        icon="traces"
        title="No calls yet"
        actions={
          <LinkButton to="/$entity/$project/weave/setup" params={projectParams(project)}>
            Set up tracing
          </LinkButton>
        }
      >
        No calls have been sent to {project.project_id}.
      </EmptyState>
    )
  }
  const isOutside = !mayContain(newest.data, listQuery)
  const hasFilter = listQuery.filter !== undefined || listQuery.text !== undefined
  if (isOutside) {
    const latest = newest.data
    return (
      <EmptyState
        icon="clock"
        title="No calls in this time range"
        actions={
          <>
            <Button onClick={() => onRange(dayAround(latest))}>Go to the latest call</Button>
            <Button variant="default" onClick={() => onRange('all')}>
              All time
            </Button>
          </>
        }
      >
        The time range is “{rangeLabel(listQuery.range)}”. The latest call started {formatTime(latest)}.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="filter"
      title={
        listQuery.text === undefined
          ? 'No matching calls'
          : `No call contains “${visibleText(listQuery.text)}”`
      }
      actions={
        <>
          {hasFilter && <Button onClick={onClear}>Clear filter</Button>}
          {listQuery.range.kind !== 'all' && (
            <Button variant="default" onClick={() => onRange('all')}>
              Show all time
            </Button>
          )}
        </>
      }
    >
      There are calls in this time range, but none match {hasFilter ? 'the filter' : 'this view'}.
    </EmptyState>
  )
}

function mayContain(latest: string, { range }: ListQuery): boolean {
  if (range.kind === 'all') return true
  const latestMs = Date.parse(latest)
  if (range.kind === 'last') return latestMs >= Date.now() - range.ms
  // A call after the range does not exclude calls within it. Only a range that starts after the latest call is
  // certainly empty.
  return latestMs >= Date.parse(range.from)
}

/** The range from one day before to one minute after a time. */
function dayAround(iso: string): string {
  const ms = Date.parse(iso)
  return `${new Date(ms - 86_400_000).toISOString()}..${new Date(ms + 60_000).toISOString()}`
}
