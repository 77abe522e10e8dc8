import { Button, Checkbox, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { FilterBox } from '../filter/filter-box.tsx'
import { parseFilter } from '../filter/parse.ts'
import { toQuery } from '../filter/to-query.ts'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { rangeBounds, parseRange } from '../time/range.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import { addedText } from './added-text.ts'
import styles from './add-by-filter.module.css'
import { type Queue, useAddToQueue } from './use-queues.ts'

const MAX_CALLS = 10_000

interface Props {
  readonly project: Project
  /** The queue to add to; undefined while the dialog is closed. */
  readonly queue: Queue | undefined
  readonly onClose: () => void
}

/** The dialog that adds the calls matching a filter to a queue, newest first. */
export function AddByFilter({ project, queue, onClose }: Props) {
  return (
    <Dialog
      title={`Add calls to “${queue?.name ?? ''}”`}
      isOpen={queue !== undefined}
      onClose={onClose}
      size="lg"
    >
      {queue !== undefined && <FilterForm project={project} queue={queue} onClose={onClose} />}
    </Dialog>
  )
}

function FilterForm({ project, queue, onClose }: Props & { readonly queue: Queue }) {
  const navigate = useNavigate()
  const [filter, setFilter] = useState<string>()
  const [isSearch, setSearch] = useState(false)
  const [range, setRange] = useState('7d')
  const [limit, setLimit] = useState('50')
  const [isRootsOnly, setRootsOnly] = useState(true)
  const add = useAddToQueue(project)
  const count = Number(limit)
  const isValidCount = Number.isInteger(count) && count >= 1 && count <= MAX_CALLS
  const submit = (): void => {
    const parsed = parseFilter(filter ?? '')
    if (!parsed.ok || !isValidCount) return
    const calls = {
      ...rangeBounds(parseRange(range), Date.now()),
      filter: { traces_only: isRootsOnly },
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
          onApply={(asked) => {
            setFilter(asked.filter)
            setSearch(asked.text !== undefined)
          }}
        />
        <TimeRangeMenu range={parseRange(range)} onRange={setRange} />
      </div>
      {isSearch && (
        <p className="warn" role="status">
          Text search is not supported here. Enter a filter, such as inputs.question ~ refund.
        </p>
      )}
      <div className={styles.line}>
        <TextInput
          label="Number of calls, newest first"
          size="sm"
          inputMode="numeric"
          value={limit}
          error={isValidCount ? undefined : `1 to ${MAX_CALLS}`}
          onChange={(event) => setLimit(event.target.value)}
        />
        <Checkbox
          className={styles.roots}
          label="Root calls only"
          checked={isRootsOnly}
          onChange={(event) => setRootsOnly(event.target.checked)}
        />
      </div>
      {add.isError && <ErrorNotice error={add.error} />}
      {add.isSuccess && (
        <p className="note ok" role="status">
          {addedText(add.data)}
        </p>
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          variant={add.isSuccess ? 'default' : 'filled'}
          disabled={!isValidCount}
          loading={add.isPending}
          onClick={submit}
        >
          Add matching calls
        </Button>
        {add.isSuccess && <Button onClick={open}>Open queue</Button>}
      </DialogActions>
    </div>
  )
}
