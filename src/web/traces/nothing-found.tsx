import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { Empty } from '../ui/empty.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatTime } from '../time/format.ts'
import { rangeLabel } from '../time/range.ts'
import type { ListQuestion } from './list-question.ts'

interface Props {
  readonly project: Project
  readonly question: ListQuestion
  readonly onClear: () => void
  readonly onRange: (range: string) => void
}

/** Why the list is empty: nothing was ever sent, nothing is of that time, or nothing matches. */
export function NothingFound({ project, question, onClear, onRange }: Props) {
  const newest = useQuery({
    queryKey: ['newest', project.project_id],
    queryFn: async ({ signal }) => {
      const { calls } = await api.call(
        'project_calls',
        { ...inPath(project), columns: ['id'], limit: 1 },
        signal,
      )
      return calls[0]?.started_at ?? null
    },
  })
  if (newest.data === undefined) return null
  if (newest.data === null) {
    return (
      <Empty
        icon="traces"
        title="No calls yet"
        actions={
          <Button
            renderRoot={(props) => (
              <Link {...props} to="/$entity/$project/weave/setup" params={inPath(project)} />
            )}
          >
            Set up tracing
          </Button>
        }
      >
        Nothing has been sent to {project.project_id} so far.
      </Empty>
    )
  }
  const isOutside = !isWithin(newest.data, question)
  const hasFilter = question.filter !== undefined || question.text !== undefined
  if (isOutside) {
    const last = newest.data
    return (
      <Empty
        icon="clock"
        title="Nothing in this time"
        actions={
          <>
            <Button onClick={() => onRange(dayAround(last))}>Jump to the last call</Button>
            <Button variant="default" onClick={() => onRange('all')}>
              All time
            </Button>
          </>
        }
      >
        You are looking at “{rangeLabel(question.range)}”. The last call began {formatTime(last)}.
      </Empty>
    )
  }
  return (
    <Empty
      icon="filter"
      title={
        question.text === undefined ? 'No call matches' : `“${visibleText(question.text)}” stands in no call`
      }
      actions={
        <>
          {hasFilter && <Button onClick={onClear}>Clear the filter</Button>}
          {question.range.kind !== 'all' && (
            <Button variant="default" onClick={() => onRange('all')}>
              Look at all time
            </Button>
          )}
        </>
      }
    >
      There are calls in this time, but none of them fits {hasFilter ? 'the filter' : 'what is shown'}.
    </Empty>
  )
}

function isWithin(last: string, { range }: ListQuestion): boolean {
  if (range.kind === 'all') return true
  const lastMs = Date.parse(last)
  if (range.kind === 'last') return lastMs >= Date.now() - range.ms
  // Calls after the time say nothing about those within it: only a time before which all lies is outside for sure.
  return lastMs >= Date.parse(range.from)
}

/** From a day before to a minute after. */
function dayAround(iso: string): string {
  const ms = Date.parse(iso)
  return `${new Date(ms - 86_400_000).toISOString()}..${new Date(ms + 60_000).toISOString()}`
}
