import { Button, Textarea } from '@mantine/core'
import { type Ref, useState } from 'react'
import { JsonText } from '../../client/browser/json-text.ts'
import { NOTE } from './feedback-record.ts'
import styles from './note-field.module.css'
import type { Saying } from './use-feedback.ts'

/** What the protocol allows; characters as people count them. */
export const MOST_CHARACTERS = 1024

export function noteSaying(note: string): Saying {
  return { feedback_type: NOTE, payload: JsonText.of({ note }) }
}

interface Props {
  readonly ref: Ref<HTMLTextAreaElement>
  readonly onNote: (saying: Saying) => void
}

export function NoteField({ ref, onNote }: Props) {
  const [note, setNote] = useState('')
  const text = note.trim()
  const left = MOST_CHARACTERS - Array.from(text).length
  const store = (): void => {
    if (text === '' || left < 0) return
    onNote(noteSaying(text))
    setNote('')
  }
  return (
    <div className={styles.note}>
      <Textarea
        ref={ref}
        size="xs"
        aria-label="Note"
        placeholder="A note about this call (N)"
        autosize
        minRows={2}
        maxRows={8}
        value={note}
        error={left < 0 ? `${-left} characters too many` : undefined}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={(event) => {
          const isStored = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
          if (isStored) store()
          else if (event.key !== 'Escape') return
          event.preventDefault()
          // Single keys mean something again.
          event.currentTarget.blur()
        }}
      />
      <Button variant="default" disabled={text === '' || left < 0} onClick={store}>
        Add note
      </Button>
    </div>
  )
}
