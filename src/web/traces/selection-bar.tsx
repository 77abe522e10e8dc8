import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { projectParams, type Project } from '../api/project.ts'
import { CallDialog, type CallAction } from '../call-actions/call-dialog.tsx'
import { MAX_COMPARED } from '../compare/compare-search.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { saveBlob } from '../media/save-blob.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { exportFileName, exportSelected } from './export-selected.ts'
import styles from './selection-bar.module.css'

interface Props {
  readonly project: Project
  readonly selected: ReadonlySet<string>
  readonly onClear: () => void
}

/** Toolbar with actions for the selected calls. */
export function SelectionBar({ project, selected, onClear }: Props) {
  const [action, setAction] = useState<CallAction>()
  const ids = [...selected]
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
      <Button
        variant="subtle"
        leftSection={<Icon name="table" size={14} />}
        onClick={() => setAction('dataset')}
      >
        Add to dataset
      </Button>
      <Button
        variant="subtle"
        leftSection={<Icon name="queue" size={14} />}
        onClick={() => setAction('queue')}
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
        onClick={() => setAction('delete')}
      >
        Delete
      </Button>
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear
      </Button>
      <CallDialog
        project={project}
        ids={ids}
        action={action}
        onClose={() => setAction(undefined)}
        onDeleted={onClear}
      />
      <Modal opened={save.isError} onClose={() => save.reset()} title="Export" size="sm">
        <ErrorNotice error={save.error} retry={() => save.mutate()} />
      </Modal>
    </div>
  )
}
