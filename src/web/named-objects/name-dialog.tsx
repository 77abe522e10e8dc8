import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog, DialogForm } from '../ui/dialog.tsx'
import type { NamedObject } from './use-named-objects.ts'

interface Props {
  /** The dialog is closed while `undefined`. */
  readonly subject:
    | {
        readonly title: string
        /** Label of the button that saves. */
        readonly action: string
        readonly hint: string
        readonly name?: string
        /** The object that is renamed. */
        readonly object_id?: string
      }
    | undefined
  /** The noun in messages, such as `view`. */
  readonly noun: string
  readonly placeholder: string
  /** Names that are taken. */
  readonly existing: readonly NamedObject[]
  readonly isPending: boolean
  readonly error: unknown
  readonly onSave: (name: string) => void
  readonly onClose: () => void
}

/** Dialog that asks for the name of an object, to save or to rename it. */
export function NameDialog(props: Props) {
  const { subject, onClose } = props
  return (
    <Dialog title={subject?.title} isOpen={subject !== undefined} onClose={onClose} size="sm">
      {subject !== undefined && <NameForm {...props} subject={subject} />}
    </Dialog>
  )
}

const MAX_LABEL_LENGTH = 200

function NameForm(props: Props & { readonly subject: NonNullable<Props['subject']> }) {
  const { subject, noun, existing } = props
  const [label, setLabel] = useState(subject.name ?? '')
  const name = label.trim()
  const isTaken = existing.some((each) => each.label === name && each.object_id !== subject.object_id)
  return (
    <DialogForm
      action={subject.action}
      isReady={name !== '' && !isTaken}
      isPending={props.isPending}
      error={props.error}
      onSubmit={() => props.onSave(name)}
      onCancel={props.onClose}
    >
      <TextInput
        data-autofocus
        label="Name"
        size="sm"
        maxLength={MAX_LABEL_LENGTH}
        placeholder={props.placeholder}
        value={label}
        error={isTaken ? `A ${noun} with this name exists` : undefined}
        onChange={(event) => setLabel(event.target.value)}
      />
      <p className="soft">{subject.hint}</p>
    </DialogForm>
  )
}

/** The subject that renames an object. */
export function renaming({ label, object_id }: Pick<NamedObject, 'label' | 'object_id'>, hint: string) {
  return { title: `Rename “${label}”`, action: 'Rename', hint, name: label, object_id }
}
