import { Button, Checkbox, Modal, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { FilterBox } from '../filter/filter-box.tsx'
import { parseFilter } from '../filter/parse.ts'
import { toQuery } from '../filter/to-query.ts'
import { Failure } from '../ui/failure.tsx'
import { boundsOf, parseRange } from '../time/range.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import { addedText } from './added-text.ts'
import styles from './add-by-filter.module.css'
import { type Queue, useAddToQueue } from './use-queues.ts'

const MOST = 10_000

interface Props {
  readonly project: Project
  /** Where to; undefined while nobody asks. */
  readonly queue: Queue | undefined
  readonly onClose: () => void
}

/** Fills a queue with what matches a filter, the newest first. */
export function AddByFilter({ project, queue, onClose }: Props) {
  return (
    <Modal
      opened={queue !== undefined}
      onClose={onClose}
      title={`Add calls to “${queue?.name ?? ''}”`}
      size="lg"
    >
      {queue !== undefined && <FilterForm project={project} queue={queue} onClose={onClose} />}
    </Modal>
  )
}

function FilterForm({ project, queue, onClose }: Props & { readonly queue: Queue }) {
  const navigate = useNavigate()
  const [filter, setFilter] = useState<string>()
  const [isSearch, setSearch] = useState(false)
  const [range, setRange] = useState('7d')
  const [limit, setLimit] = useState('50')
  const [isRoots, setRoots] = useState(true)
  const add = useAddToQueue(project)
  const count = Number(limit)
  const isCount = Number.isInteger(count) && count >= 1 && count <= MOST
  const submit = (): void => {
    const parsed = parseFilter(filter ?? '')
    if (!parsed.ok || !isCount) return
    const calls = {
      ...boundsOf(parseRange(range), Date.now()),
      filter: { trace_roots_only: isRoots },
      query: toQuery(parsed.filter),
      limit: count,
    }
    add.mutate({ queue_id: queue.id, calls })
  }
  const open = (): void => {
    onClose()
    void navigate({
      to: '/$entity/$project/weave/queues/$queue_id',
      params: { entity: project.entity, project: project.project, queue_id: queue.id },
      search: {},
    })
  }
  return (
    <div className={styles.form}>
      <div className={styles.line}>
        <FilterBox
          project={project}
          range={parseRange(range)}
          filter={filter}
          text={undefined}
          onAsk={(asked) => {
            setFilter(asked.filter)
            setSearch(asked.text !== undefined)
          }}
        />
        <TimeRangeMenu range={parseRange(range)} onRange={setRange} />
      </div>
      {isSearch && (
        <p className={styles.hint} role="status">
          A queue is filled by a filter, not by a search: write it like inputs.question ~ refund.
        </p>
      )}
      <div className={styles.line}>
        <TextInput
          label="How many, the newest first"
          size="sm"
          inputMode="numeric"
          value={limit}
          error={isCount ? undefined : `1 to ${MOST}`}
          onChange={(event) => setLimit(event.target.value)}
        />
        <Checkbox
          className={styles.roots}
          label="Whole traces only, not every call in them"
          checked={isRoots}
          onChange={(event) => setRoots(event.target.checked)}
        />
      </div>
      {add.isError && <Failure error={add.error} />}
      {add.isSuccess && (
        <p className={styles.added} role="status">
          {addedText(add.data)}
        </p>
      )}
      <div className={styles.actions}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          variant={add.isSuccess ? 'default' : 'filled'}
          disabled={!isCount}
          loading={add.isPending}
          onClick={submit}
        >
          Add what matches
        </Button>
        {add.isSuccess && <Button onClick={open}>Open the queue</Button>}
      </div>
    </div>
  )
}
