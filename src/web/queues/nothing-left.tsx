import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Empty } from '../ui/empty.tsx'
import { judgedBy } from './queue-order.ts'
import type { QueueItem } from './use-queue-items.ts'

interface Props {
  readonly total: number
  readonly done: number
  readonly skipped: number
  readonly held: number
  readonly items: readonly QueueItem[]
  readonly onSkipped: () => void
  readonly onFill: () => void
  readonly toQueues: ReactNode
}

/** There is no call for this person right now: why, and the way on. */
export function NothingLeft(props: Props) {
  const { total, done, skipped, held } = props
  if (total === 0) {
    return (
      <Empty
        icon="queue"
        title="This queue is empty"
        actions={<Button onClick={props.onFill}>Add calls by a filter</Button>}
      >
        Fill it by a filter, or select calls in the list of traces and press “Add to queue”.
      </Empty>
    )
  }
  if (done === total) {
    const people = judgedBy(props.items).map(([name, count]) => `${name} ${count}`)
    return (
      <Empty icon="check" title="Everything is judged" actions={props.toQueues}>
        {total === 1 ? 'One call' : `All ${total} calls`}: {people.join(', ')}.
      </Empty>
    )
  }
  if (skipped > 0) {
    return (
      <Empty
        icon="chevronRight"
        title="Only what you have skipped is left"
        actions={
          <>
            <Button onClick={props.onSkipped}>Look at {skipped === 1 ? 'it' : `the ${skipped}`} again</Button>
            {props.toQueues}
          </>
        }
      >
        {held > 0 ? `${heldText(held)} ` : ''}Others still get what you have skipped.
      </Empty>
    )
  }
  return (
    <Empty icon="lock" title="Others are at the rest" actions={props.toQueues}>
      {heldText(held)} What they let go of appears here by itself.
    </Empty>
  )
}

function heldText(held: number): string {
  return held === 1 ? 'One call is open at somebody else.' : `${held} calls are open at others.`
}
