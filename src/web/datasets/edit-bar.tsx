import { Button, Popover, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { refreshQueries } from '../api/query-client.ts'
import type { Project } from '../api/project.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { formatCount } from '../ui/format.ts'
import { draftCounts, type DraftCounts, isDraftEmpty } from './draft.ts'
import styles from './edit-bar.module.css'
import { publishDraft } from './publish-dataset.ts'
import type { TableSource } from './table-rows.ts'
import type { DatasetVersion } from './use-datasets.ts'
import type { DraftHistory } from './use-draft.ts'

interface Props {
  readonly project: Project
  readonly version: DatasetVersion
  readonly latest: DatasetVersion | undefined
  readonly source: TableSource
  readonly history: DraftHistory
  readonly columns: readonly string[]
  readonly onAddRow: () => void
  readonly onAddColumn: (name: string) => void
  /** Leaves edit mode and discards the draft. */
  readonly onDone: () => void
}

/** The toolbar of edit mode: actions, a summary of the edits, and publishing. */
export function EditBar(props: Props) {
  const { project, version, latest, history } = props
  const [isPublishing, setPublishing] = useState(false)
  const navigate = useNavigate()
  const publish = useMutation({
    mutationFn: () => publishDraft(project, version.object_id, version.val.text, props.source, history.draft),
    onSuccess: async (digest) => {
      // Discard the published draft first, so that leaving the page needs no confirmation.
      props.onDone()
      setPublishing(false)
      await refreshQueries(['objects', project.project_id])
      await navigate({
        to: '/$entity/$project/weave/$kind/$name/versions/$digest',
        params: {
          entity: project.entity,
          project: project.project,
          kind: 'datasets',
          name: version.object_id,
          digest,
        },
        search: {},
        ignoreBlocker: true,
      })
    },
  })
  const counts = draftCounts(history.draft)
  const isUnchanged = isDraftEmpty(history.draft)
  const isOutdated = latest !== undefined && latest.digest !== version.digest
  return (
    <div className={styles.bar} role="toolbar" aria-label="Editing">
      <ActionButton
        variant="default"
        icon="plus"
        disabled={props.columns.length === 0}
        onClick={props.onAddRow}
      >
        Add row
      </ActionButton>
      <AddColumn columns={props.columns} onAdd={props.onAddColumn} />
      <IconButton
        icon="undo"
        label="Undo"
        tooltip="Undo (Ctrl+Z)"
        disabled={history.undo === undefined}
        onClick={history.undo}
      />
      <IconButton
        icon="undo"
        label="Redo"
        tooltip="Redo (Ctrl+Y)"
        className={styles.redo}
        disabled={history.redo === undefined}
        onClick={history.redo}
      />
      <span className="soft grow" role="status">
        {isUnchanged ? '↵ edits a cell, Delete removes a row' : countsText(counts)}
      </span>
      <Button variant="default" onClick={props.onDone}>
        {isUnchanged ? 'Stop editing' : 'Discard'}
      </Button>
      <Button disabled={isUnchanged} onClick={() => setPublishing(true)}>
        Publish…
      </Button>
      <ConfirmDialog
        title={`Publish a new version of ${version.object_id}?`}
        isOpen={isPublishing}
        action="Publish"
        cancel="Keep editing"
        isHarmless
        isPending={publish.isPending}
        error={publish.error}
        onConfirm={() => publish.mutate()}
        onClose={() => setPublishing(false)}
      >
        {capitalize(countsText(counts))}. Existing versions, including v{version.version_index}, are kept.
        {isOutdated && (
          <p className={`${styles.warning} note warn`} role="alert">
            You are editing v{version.version_index}, but v{latest.version_index} has been published since.
            Its changes will not be in your version.
          </p>
        )}
      </ConfirmDialog>
    </div>
  )
}

function AddColumn({
  columns,
  onAdd,
}: {
  readonly columns: readonly string[]
  readonly onAdd: (name: string) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const isTaken = columns.includes(name.trim())
  const add = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() === '' || isTaken) return
    onAdd(name.trim())
    setName('')
    setOpen(false)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={240} trapFocus returnFocus>
      <Popover.Target>
        <ActionButton variant="default" icon="columns" onClick={() => setOpen(!isOpen)}>
          Add column
        </ActionButton>
      </Popover.Target>
      <Popover.Dropdown>
        <form className={styles.form} onSubmit={add}>
          <TextInput
            data-autofocus
            aria-label="Column name"
            placeholder="expected"
            value={name}
            onChange={(event) => setName(event.target.value)}
            error={isTaken ? 'A column with this name already exists' : undefined}
          />
          <Button type="submit" disabled={name.trim() === '' || isTaken}>
            Add
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}

function countsText({ changed, removed, added }: DraftCounts): string {
  const counts = [
    [changed, 'changed'],
    [removed, 'removed'],
    [added, 'added'],
  ] as const
  const nonZero = counts.filter(([count]) => count > 0)
  const [[first = 0] = []] = nonZero
  const noun = first === 1 ? 'row' : 'rows'
  return nonZero
    .map(([count, verb], i) => `${formatCount(count)} ${i === 0 ? `${noun} ` : ''}${verb}`)
    .join(', ')
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
