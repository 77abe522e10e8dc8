import { Button, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ErrorNotice } from '../ui/error-notice.tsx'
import styles from './dialogs.module.css'
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
    <Modal opened={subject !== undefined} onClose={onClose} title={subject?.title} size="sm">
      {subject !== undefined && <NameForm {...props} subject={subject} />}
    </Modal>
  )
}

const MAX_LABEL_LENGTH = 200

function NameForm(props: Props & { readonly subject: NonNullable<Props['subject']> }) {
  const { subject, noun, existing } = props
  const [label, setLabel] = useState(subject.name ?? '')
  const name = label.trim()
  const isTaken = existing.some((each) => each.label === name && each.object_id !== subject.object_id)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name !== '' && !isTaken) props.onSave(name)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
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
      <p className={styles.text}>{subject.hint}</p>
      {props.error !== null && props.error !== undefined && <ErrorNotice error={props.error} />}
      <div className={styles.actions}>
        <Button variant="default" onClick={props.onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={name === '' || isTaken} loading={props.isPending}>
          {subject.action}
        </Button>
      </div>
    </form>
  )
}
