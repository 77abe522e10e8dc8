import { Button, Modal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { MAX_COMPARED } from '../compare/compare-search.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { saveBlob } from '../media/save-blob.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { DELETION_NOTICE } from '../ui/deletion-notice.ts'
import { exportFileName, exportSelected } from './export-selected.ts'
import styles from './selection-bar.module.css'

const AddToDataset = lazy(async () => ({
  default: (await import('../datasets/add-to-dataset.tsx')).AddToDataset,
}))

const AddToQueue = lazy(async () => ({
  default: (await import('../queues/add-to-queue.tsx')).AddToQueue,
}))

/** Maximum calls per delete request. */
const MAX_CALLS_PER_DELETE = 1000

interface Props {
  readonly project: Project
  readonly selected: ReadonlySet<string>
  readonly onClear: () => void
}

/** Toolbar with actions for the selected calls. */
export function SelectionBar({ project, selected, onClear }: Props) {
  const [isConfirmingDelete, setConfirmingDelete] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const [isQueueing, setQueueing] = useState(false)
  const queries = useQueryClient()
  const ids = [...selected]
  const remove = useMutation({
    mutationFn: async () => {
      for (let i = 0; i < ids.length; i += MAX_CALLS_PER_DELETE) {
        const call_ids = ids.slice(i, i + MAX_CALLS_PER_DELETE)
        await api.call('calls_delete', { project_id: project.project_id, call_ids })
      }
    },
    onSuccess: () => {
      setConfirmingDelete(false)
      onClear()
    },
    // Some batches may have succeeded even if the mutation failed.
    onSettled: () => queries.invalidateQueries(),
  })
  const [exported, setExported] = useState(0)
  const save = useMutation({
    mutationFn: async () => {
      setExported(0)
      saveBlob(await exportSelected(project, ids, setExported), exportFileName(project))
    },
  })
  const navigate = useNavigate()
  const canCompare = ids.length >= 2 && ids.length <= MAX_COMPARED
  const compare = (): void => {
    if (!canCompare) return
    void navigate({
      to: '/$entity/$project/weave/compare',
      params: projectParams(project),
      search: { calls: ids.join(',') },
    })
  }
  useShortcuts('Selection', [{ keys: 'c', label: 'Compare selected calls', run: compare }])
  if (ids.length === 0) return null
  const calls = ids.length === 1 ? '1 call' : `${formatCount(ids.length)} calls`
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected calls">
      <span className={styles.count}>{calls} selected</span>
      <Button
        variant="subtle"
        leftSection={<Icon name="compare" size={14} />}
        disabled={!canCompare}
        title={canCompare ? 'Compare side by side (C)' : `Select 2 to ${MAX_COMPARED} calls to compare`}
        onClick={compare}
      >
        Compare
      </Button>
      <Button variant="subtle" leftSection={<Icon name="table" size={14} />} onClick={() => setAdding(true)}>
        Add to dataset
      </Button>
      <Button
        variant="subtle"
        leftSection={<Icon name="queue" size={14} />}
        onClick={() => setQueueing(true)}
      >
        Add to queue
      </Button>
      <Button
        variant="subtle"
        leftSection={<Icon name="download" size={14} />}
        disabled={save.isPending}
        onClick={() => save.mutate()}
      >
        {save.isPending && exported > 0 ? `Exporting: ${formatCount(exported)}` : 'Export'}
      </Button>
      <Button
        variant="subtle"
        color="madder"
        leftSection={<Icon name="trash" size={14} />}
        onClick={() => setConfirmingDelete(true)}
      >
        Delete
      </Button>
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear
      </Button>
      {isAdding && (
        <Suspense fallback={null}>
          <AddToDataset project={project} ids={ids} onClose={() => setAdding(false)} />
        </Suspense>
      )}
      {isQueueing && (
        <Suspense fallback={null}>
          <AddToQueue project={project} ids={ids} onClose={() => setQueueing(false)} />
        </Suspense>
      )}
      <Modal opened={save.isError} onClose={() => save.reset()} title="Export" size="sm">
        <ErrorNotice error={save.error} retry={() => save.mutate()} />
      </Modal>
      <Modal
        opened={isConfirmingDelete}
        onClose={() => setConfirmingDelete(false)}
        title={`Delete ${calls}?`}
        size="sm"
      >
        <p className={styles.text}>Their descendant calls are deleted too. {DELETION_NOTICE}</p>
        {remove.isError && <ErrorNotice error={remove.error} />}
        <div className={styles.actions}>
          <Button variant="default" data-autofocus onClick={() => setConfirmingDelete(false)}>
            Cancel
          </Button>
          <Button color="madder" variant="light" loading={remove.isPending} onClick={() => remove.mutate()}>
            Delete {calls}
          </Button>
        </div>
      </Modal>
    </div>
  )
}
