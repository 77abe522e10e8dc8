import { ActionIcon, Button, Textarea, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatTime } from '../time/format.ts'
import { Emoji } from './emoji.tsx'
import { annotationType, type FeedbackRecord, type Said, saidIn } from './feedback-record.ts'
import { MOST_CHARACTERS, noteSaying } from './note-field.tsx'
import styles from './feedback-list.module.css'
import { valueText } from './score-field.ts'
import type { Saying } from './use-feedback.ts'
import type { ScoreSpec } from './use-specs.ts'

interface Props {
  readonly records: readonly FeedbackRecord[] | undefined
  readonly specs: readonly ScoreSpec[]
  readonly mine: (record: FeedbackRecord) => boolean
  readonly onReplace: (before: FeedbackRecord, saying: Saying) => void
  readonly onRemove: (record: FeedbackRecord) => void
}

/** Who said what and when, the newest first. One's own can be changed and taken back. */
export function SaidList({ records, specs, mine, onReplace, onRemove }: Props) {
  const [edited, setEdited] = useState<string>()
  if (records?.length === 0) {
    return <p className={styles.nobody}>Nobody has said anything about this call yet.</p>
  }
  return (
    <ul className={styles.list} aria-label="Feedback">
      {(records ?? []).map((record) => {
        const said = saidIn(record)
        if (edited === record.id && said.kind === 'note') {
          return (
            <li key={record.id} className={styles.record}>
              <NoteEditor
                note={said.note}
                onClose={() => setEdited(undefined)}
                onNote={(note) => onReplace(record, noteSaying(note))}
              />
            </li>
          )
        }
        return (
          <li key={record.id} className={styles.record}>
            <span className={styles.icon}>
              <Icon name={ICONS[said.kind]} size={13} />
            </span>
            <div className={styles.what}>
              <What said={said} spec={specOf(specs, record)} />
              <span className={styles.who}>
                <span className="foreign">
                  {visibleText(record.creator ?? record.wb_user_id ?? 'somebody')}
                </span>
                {' · '}
                <time dateTime={record.created_at} title={record.created_at}>
                  {formatTime(record.created_at)}
                </time>
              </span>
            </div>
            {mine(record) && (
              <span className={styles.actions}>
                {said.kind === 'note' && (
                  <Tooltip label="Change it">
                    <ActionIcon size={22} aria-label="Change the note" onClick={() => setEdited(record.id)}>
                      <Icon name="note" size={12} />
                    </ActionIcon>
                  </Tooltip>
                )}
                <Tooltip label="Take it back">
                  <ActionIcon size={22} aria-label="Take it back" onClick={() => onRemove(record)}>
                    <Icon name="close" size={12} />
                  </ActionIcon>
                </Tooltip>
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const ICONS: Readonly<Record<Said['kind'], IconName>> = {
  reaction: 'smile',
  note: 'note',
  score: 'check',
  other: 'op',
}

function specOf(specs: readonly ScoreSpec[], record: FeedbackRecord): ScoreSpec | undefined {
  return specs.find((spec) => annotationType(spec.object_id) === record.feedback_type)
}

function What({ said, spec }: { readonly said: Said; readonly spec: ScoreSpec | undefined }) {
  switch (said.kind) {
    case 'reaction':
      return (
        <span className={styles.emoji}>
          <Emoji emoji={said.emoji} />
        </span>
      )
    case 'note':
      return (
        <span className={styles.text} dir="auto">
          {visibleText(said.note)}
        </span>
      )
    case 'score':
      return (
        <span className={styles.text}>
          <span className={`${styles.name} foreign`}>{visibleText(spec?.name ?? said.name)}</span>{' '}
          <b className="foreign">{visibleText(valueText(spec?.field, said.value))}</b>
        </span>
      )
    case 'other':
      return (
        <span className={styles.text}>
          <span className={`${styles.name} foreign`}>{visibleText(said.name)}</span>{' '}
          <code className={`${styles.json} foreign`}>{visibleText(said.json)}</code>
        </span>
      )
  }
}

interface EditorProps {
  readonly note: string
  readonly onClose: () => void
  readonly onNote: (note: string) => void
}

function NoteEditor({ note, onClose, onNote }: EditorProps) {
  const [text, setText] = useState(note)
  const isLong = Array.from(text.trim()).length > MOST_CHARACTERS
  const store = (): void => {
    if (text.trim() === '' || isLong) return
    if (text.trim() !== note) onNote(text.trim())
    onClose()
  }
  return (
    <div className={styles.editor}>
      <Textarea
        size="xs"
        aria-label="Change the note"
        autosize
        autoFocus
        maxRows={8}
        value={text}
        error={isLong ? `At most ${MOST_CHARACTERS} characters` : undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) store()
          else return
          event.preventDefault()
        }}
      />
      <div className={styles.editorActions}>
        <Button variant="default" onClick={onClose}>
          Keep as it was
        </Button>
        <Button disabled={text.trim() === '' || isLong} onClick={store}>
          Store
        </Button>
      </div>
    </div>
  )
}
