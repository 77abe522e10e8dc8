import { Button, Popover, SegmentedControl, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { refreshQueries } from '../api/query-client.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { useCanWrite, WriteOnly } from '../api/role.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { LabelChips } from './label-chips.tsx'
import type { ObjectVersion } from './object-kind.ts'

type LabelKind = 'tag' | 'alias'

interface Change {
  readonly kind: LabelKind
  readonly label: string
  readonly isRemoved: boolean
}

/** The tags and aliases of a version, with controls to add and remove them. */
export function VersionLabels({
  project,
  version,
}: {
  readonly project: Project
  readonly version: ObjectVersion
}) {
  const canWrite = useCanWrite()
  const [isOpen, setOpen] = useState(false)
  const [kind, setKind] = useState<LabelKind>('tag')
  const [label, setLabel] = useState('')
  const change = useMutation({
    mutationFn: (labelChange: Change) => saveLabel(project, version, labelChange),
    onSuccess: async (_, { isRemoved }) => {
      if (!isRemoved) {
        setLabel('')
        setOpen(false)
      }
      await refreshQueries(['objects', project.project_id])
    },
  })
  const add = (event: FormEvent): void => {
    event.preventDefault()
    if (label.trim() !== '') change.mutate({ kind, label: label.trim(), isRemoved: false })
  }
  return (
    <span className="row wraps gap-4">
      <LabelChips
        tags={version.tags ?? []}
        aliases={version.aliases ?? []}
        {...(canWrite && {
          onRemove: (kindToRemove: LabelKind, text: string) =>
            change.mutate({ kind: kindToRemove, label: text, isRemoved: true }),
        })}
      />
      <WriteOnly>
        <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={280} trapFocus returnFocus>
          <Popover.Target>
            <IconButton
              icon="plus"
              label="Add tag or alias"
              tooltip="Add tag or alias"
              size={22}
              onClick={() => setOpen(!isOpen)}
            />
          </Popover.Target>
          <Popover.Dropdown>
            <form className="stack gap-8" onSubmit={add}>
              <SegmentedControl
                aria-label="Tag or alias"
                value={kind}
                onChange={(value) => setKind(value === 'alias' ? 'alias' : 'tag')}
                data={[
                  { value: 'tag', label: 'Tag' },
                  { value: 'alias', label: 'Alias' },
                ]}
              />
              <TextInput
                data-autofocus
                aria-label={kind === 'tag' ? 'New tag' : 'New alias'}
                placeholder={kind === 'tag' ? 'reviewed' : 'production'}
                value={label}
                onChange={(event) => setLabel(event.target.value)}
                description={
                  kind === 'tag'
                    ? 'Several versions can have the same tag.'
                    : 'An existing alias moves to this version.'
                }
                inputWrapperOrder={['input', 'error', 'description']}
                error={change.isError ? change.error.message : undefined}
              />
              <Button type="submit" loading={change.isPending} disabled={label.trim() === ''}>
                Add
              </Button>
            </form>
          </Popover.Dropdown>
        </Popover>
      </WriteOnly>
    </span>
  )
}

async function saveLabel(
  { project_id }: Project,
  { object_id, digest }: ObjectVersion,
  { kind, label, isRemoved }: Change,
): Promise<void> {
  if (kind === 'tag') {
    const request = { project_id, object_id, digest, tags: [label] }
    await (isRemoved ? api.call('obj_remove_tags', request) : api.call('obj_add_tags', request))
  } else if (isRemoved) await api.call('obj_remove_aliases', { project_id, object_id, aliases: [label] })
  else await api.call('obj_set_aliases', { project_id, object_id, digest, aliases: [label] })
}
