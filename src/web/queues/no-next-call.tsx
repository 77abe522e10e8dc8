import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from '../ui/empty-state.tsx'
import { reviewCounts } from './queue-order.ts'
import type { QueueItem } from './use-queue-items.ts'

interface Props {
  readonly total: number
  readonly done: number
  readonly skipped: number
  readonly held: number
  readonly items: readonly QueueItem[]
  readonly onReviewSkipped: () => void
  readonly onAddCalls: () => void
  readonly queuesLink: ReactNode
}

/** The empty state while no call is available to the user: the reason and what to do next. */
export function NoNextCall(props: Props) {
  const { total, done, skipped, held } = props
  if (total === 0) {
    return (
      <EmptyState
        icon="queue"
        title="This queue is empty"
        actions={<Button onClick={props.onAddCalls}>Add calls by filter</Button>}
      >
        Add calls by filter, or select calls in the trace list and choose “Add to queue”.
      </EmptyState>
    )
  }
  if (done === total) {
    const reviewers = reviewCounts(props.items).map(([name, count]) => `${name} ${count}`)
    return (
      <EmptyState icon="check" title="All calls reviewed" actions={props.queuesLink}>
        {total === 1 ? 'One call' : `All ${total} calls`}: {reviewers.join(', ')}.
      </EmptyState>
    )
  }
  if (skipped > 0) {
    return (
      <EmptyState
        icon="chevronRight"
        title="Only skipped calls are left"
        actions={
          <>
            <Button onClick={props.onReviewSkipped}>
              Review {skipped === 1 ? 'skipped call' : `${skipped} skipped calls`}
            </Button>
            {props.queuesLink}
          </>
        }
      >
        {held > 0 ? `${heldText(held)} ` : ''}Others can still review the calls you skipped.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="lock" title="Others are reviewing the remaining calls" actions={props.queuesLink}>
      {heldText(held)} Released calls appear here automatically.
    </EmptyState>
  )
}

function heldText(held: number): string {
  return held === 1 ? 'Another reviewer has one call open.' : `Other reviewers have ${held} calls open.`
}
