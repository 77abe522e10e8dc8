import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { projectParams, type Project } from '../api/project.ts'
import { WriteOnly } from '../api/role.tsx'
import { CallDialog, type CallAction } from '../call-actions/call-dialog.tsx'
import { MAX_COMPARED } from '../compare/compared-ids.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { saveBlob } from '../media/save-blob.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { exportFileName, exportSelected } from './export-selected.ts'
import { FloatingBar } from '../ui/floating-bar.tsx'

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
    <FloatingBar label="Selected calls" text={`${calls} selected`}>
      <ActionButton
        variant="subtle"
        icon="compare"
        disabled={!canCompare}
        title={canCompare ? 'Compare side by side (C)' : `Select 2 to ${MAX_COMPARED} calls to compare`}
        onClick={compare}
      >
        Compare
      </ActionButton>
      <WriteOnly>
        <ActionButton variant="subtle" icon="table" onClick={() => setAction('dataset')}>
          Add to dataset
        </ActionButton>
        <ActionButton variant="subtle" icon="queue" onClick={() => setAction('queue')}>
          Add to queue
        </ActionButton>
      </WriteOnly>
      <ActionButton variant="subtle" icon="download" disabled={save.isPending} onClick={() => save.mutate()}>
        {save.isPending && exported > 0 ? `Exporting: ${formatCount(exported)}` : 'Export'}
      </ActionButton>
      <WriteOnly>
        <ActionButton variant="subtle" color="danger" icon="trash" onClick={() => setAction('delete')}>
          Delete
        </ActionButton>
      </WriteOnly>
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
      <Dialog title="Export" isOpen={save.isError} onClose={() => save.reset()} size="sm">
        <ErrorNotice error={save.error} retry={() => save.mutate()} />
      </Dialog>
    </FloatingBar>
  )
}
