import { Button, Textarea } from '@mantine/core'
import type { Ref } from 'react'
import { JsonText } from '../../client/browser/json-text.ts'
import { useDraftText } from '../ui/draft-text.ts'
import { NOTE } from './feedback-record.ts'
import styles from './note-field.module.css'
import type { NewFeedback } from './use-feedback.ts'

/** The limit of the Weave protocol, in Unicode code points. */
export const MAX_NOTE_CHARACTERS = 1024

export function noteFeedback(note: string): NewFeedback {
  return { feedback_type: NOTE, payload: JsonText.of({ note }) }
}

interface Props {
  readonly ref: Ref<HTMLTextAreaElement>
  /** Names the call. A note that is not added yet survives a reload. */
  readonly draftKey: string
  readonly onNote: (feedback: NewFeedback) => void
}

/** The field for a new note. */
export function NoteField({ ref, draftKey, onNote }: Props) {
  const [note, setNote] = useDraftText(draftKey)
  const text = note.trim()
  const left = MAX_NOTE_CHARACTERS - Array.from(text).length
  const save = (): void => {
    if (text === '' || left < 0) return
    onNote(noteFeedback(text))
    setNote('')
  }
  return (
    <div className={styles.note}>
      <Textarea
        ref={ref}
        size="xs"
        aria-label="Note"
        placeholder="Add a note (N)"
        autosize
        minRows={2}
        maxRows={8}
        value={note}
        error={left < 0 ? `${-left} characters over the limit` : undefined}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={(event) => {
          const isSaveKey = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
          if (isSaveKey) save()
          else if (event.key !== 'Escape') return
          event.preventDefault()
          // Leaving the field re-enables the single-key shortcuts.
          event.currentTarget.blur()
        }}
      />
      <Button variant="default" disabled={text === '' || left < 0} onClick={save}>
        Add note
      </Button>
    </div>
  )
}
