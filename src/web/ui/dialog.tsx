import { Button, Modal } from '@mantine/core'
import { type FormEvent, type MouseEvent, type ReactNode, useState } from 'react'
import styles from './dialog.module.css'
import { ErrorNotice } from './error-notice.tsx'
import { useFocusReturn } from './use-focus-return.ts'

interface DialogProps {
  readonly title: ReactNode
  readonly isOpen?: boolean
  /** A name, or the width in pixels. */
  readonly size?: 'sm' | 'md' | 'lg' | 'xl' | number
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog. Its content is new each time it opens. */
export function Dialog({ title, isOpen = true, size = 'md', onClose, children }: DialogProps) {
  const ref = useFocusReturn(isOpen)
  return (
    <Modal ref={ref} opened={isOpen} onClose={onClose} title={title} size={size} returnFocus={false}>
      {isOpen && children}
    </Modal>
  )
}

interface BareProps {
  readonly label: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog without a title bar. */
export function BareDialog({ label, isOpen, onClose, children }: BareProps) {
  const ref = useFocusReturn(isOpen)
  return (
    <Modal.Root
      ref={ref}
      opened={isOpen}
      onClose={onClose}
      returnFocus={false}
      size={560}
      yOffset="12vh"
      classNames={{ content: styles.bare ?? '' }}
      // See theme/mantine.ts. Modal.Root does not use the defaults of Modal.
      lockScroll={false}
    >
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content aria-label={label}>
        <Modal.Body p={0}>{isOpen && children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="row end gap-8">{children}</div>
}

interface FormProps {
  /** Label of the button that submits. */
  readonly action: ReactNode
  /** Whether the fields are complete and valid. */
  readonly isReady: boolean
  readonly isPending: boolean
  /** Why the last submission failed; null or undefined if it did not. */
  readonly error: unknown
  /** Accessible name of the form. */
  readonly label?: string
  readonly onSubmit: () => void
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** The second click of a double click comes before the first one is rendered if the page is busy. */
function isRepeated({ detail }: MouseEvent): boolean {
  return detail > 1
}

/** The error, unless it is from before the dialog opened, when it was about something else. */
function useNewError(error: unknown): unknown {
  const [before] = useState(() => error)
  return error === before ? undefined : error
}

/** The form of a dialog: fields, the error of the last submission, and the buttons. */
export function DialogForm(props: FormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (props.isReady) props.onSubmit()
  }
  const error = useNewError(props.error)
  return (
    <form className="stack gap-12" aria-label={props.label} onSubmit={submit}>
      {props.children}
      {error !== null && error !== undefined && <ErrorNotice error={error} />}
      <DialogActions>
        <Button variant="default" onClick={props.onCancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          disabled={!props.isReady}
          loading={props.isPending}
          onClick={(event) => isRepeated(event) && event.preventDefault()}
        >
          {props.action}
        </Button>
      </DialogActions>
    </form>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly isOpen: boolean
  /** Label of the button that confirms. */
  readonly action: ReactNode
  readonly cancel?: string
  /** Enter confirms, because nothing is lost. Otherwise Enter cancels. */
  readonly isHarmless?: boolean
  readonly isPending?: boolean
  readonly error?: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
  /** What will happen. */
  readonly children: ReactNode
}

/** A dialog that asks for confirmation. */
export function ConfirmDialog(props: ConfirmProps) {
  return (
    <Dialog title={props.title} isOpen={props.isOpen} onClose={props.onClose} size="sm">
      <Confirmation {...props} />
    </Dialog>
  )
}

function Confirmation({ isHarmless = false, isPending = false, ...props }: ConfirmProps) {
  const error = useNewError(props.error)
  return (
    <div className="stack gap-12">
      <div className="soft">{props.children}</div>
      {error !== null && error !== undefined && <ErrorNotice error={error} />}
      <DialogActions>
        <Button variant="default" data-autofocus={!isHarmless || undefined} onClick={props.onClose}>
          {props.cancel ?? 'Cancel'}
        </Button>
        <Button
          {...(isHarmless ? { 'data-autofocus': true } : { color: 'danger', variant: 'light' })}
          loading={isPending}
          onClick={(event) => !isRepeated(event) && props.onConfirm()}
        >
          {props.action}
        </Button>
      </DialogActions>
    </div>
  )
}
