import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { MarkdownText } from '../markdown/markdown-text.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatTime } from '../time/format.ts'
import { Emoji } from './emoji.tsx'
import {
  annotationType,
  type FeedbackRecord,
  type FeedbackContent,
  feedbackContent,
} from './feedback-record.ts'
import { MAX_NOTE_CHARACTERS, noteFeedback } from './note-field.tsx'
import styles from './feedback-list.module.css'
import { valueText } from './score-field.ts'
import type { NewFeedback } from './use-feedback.ts'
import type { ScoreSpec } from './use-specs.ts'

interface Props {
  readonly records: readonly FeedbackRecord[] | undefined
  readonly specs: readonly ScoreSpec[]
  readonly isOwn: (record: FeedbackRecord) => boolean
  readonly onReplace: (before: FeedbackRecord, feedback: NewFeedback) => void
  readonly onRemove: (record: FeedbackRecord) => void
}

/** The feedback on a call with author and time, newest first. Users can edit and delete their own. */
export function FeedbackList({ records, specs, isOwn, onReplace, onRemove }: Props) {
  const [editedId, setEditedId] = useState<string>()
  if (records?.length === 0) {
    return <p className="hint">No feedback on this call yet.</p>
  }
  return (
    <ul className={styles.list} aria-label="Feedback">
      {(records ?? []).map((record) => {
        const content = feedbackContent(record)
        if (editedId === record.id && content.kind === 'note') {
          return (
            <li key={record.id} className={styles.record}>
              <NoteEditor
                note={content.note}
                onClose={() => setEditedId(undefined)}
                onNote={(note) => onReplace(record, noteFeedback(note))}
              />
            </li>
          )
        }
        return (
          <li key={record.id} className={styles.record}>
            <span className={styles.icon}>
              <Icon name={ICONS[content.kind]} size={13} />
            </span>
            <div className={styles.content}>
              <FeedbackBody content={content} spec={recordSpec(specs, record)} />
              <span className="hint wrap">
                <span className="isolate">
                  {visibleText(record.creator ?? record.wb_user_id ?? 'Unknown user')}
                </span>
                {' · '}
                <time dateTime={record.created_at} title={record.created_at}>
                  {formatTime(record.created_at)}
                </time>
              </span>
            </div>
            {isOwn(record) && (
              <span className="row">
                {content.kind === 'note' && (
                  <IconButton
                    icon="note"
                    label="Edit note"
                    tooltip="Edit"
                    size={22}
                    onClick={() => setEditedId(record.id)}
                  />
                )}
                <IconButton
                  icon="close"
                  label="Delete feedback"
                  tooltip="Delete"
                  size={22}
                  onClick={() => onRemove(record)}
                />
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const ICONS: Readonly<Record<FeedbackContent['kind'], IconName>> = {
  reaction: 'smile',
  note: 'note',
  tag: 'tag',
  score: 'check',
  other: 'op',
}

function recordSpec(specs: readonly ScoreSpec[], record: FeedbackRecord): ScoreSpec | undefined {
  return specs.find((spec) => annotationType(spec.object_id) === record.feedback_type)
}

function FeedbackBody({
  content,
  spec,
}: {
  readonly content: FeedbackContent
  readonly spec: ScoreSpec | undefined
}) {
  switch (content.kind) {
    case 'reaction':
      return (
        <span className={styles.emoji}>
          <Emoji emoji={content.emoji} />
        </span>
      )
    case 'note':
      return (
        <div className="lines">
          <MarkdownText text={content.note} className={undefined} />
        </div>
      )
    case 'tag':
      return (
        <span className="lines">
          tag <b className="isolate">{visibleText(content.tag)}</b>
        </span>
      )
    case 'score':
      return (
        <span className="lines">
          <span className="soft isolate">{visibleText(spec?.name ?? content.name)}</span>{' '}
          <b className="isolate">{visibleText(valueText(spec?.field, content.value))}</b>
        </span>
      )
    case 'other':
      return (
        <span className="lines">
          <span className="soft isolate">{visibleText(content.name)}</span>{' '}
          <code className={`${styles.json} isolate`}>{visibleText(content.json)}</code>
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
  const isTooLong = Array.from(text.trim()).length > MAX_NOTE_CHARACTERS
  const save = (): void => {
    if (text.trim() === '' || isTooLong) return
    if (text.trim() !== note) onNote(text.trim())
    onClose()
  }
  return (
    <div className={styles.editor}>
      <Textarea
        size="xs"
        aria-label="Edit note"
        autosize
        autoFocus
        maxRows={8}
        value={text}
        error={isTooLong ? `At most ${MAX_NOTE_CHARACTERS} characters` : undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
          else return
          event.preventDefault()
        }}
      />
      <div className={styles.editorActions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={text.trim() === '' || isTooLong} onClick={save}>
          Save
        </Button>
      </div>
    </div>
  )
}
