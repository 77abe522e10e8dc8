import { IconButton } from '../ui/icon-button.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { type FeedbackRecord, feedbackContent } from './feedback-record.ts'
import { RovingRow } from './roving-row.tsx'
import styles from './score-card.module.css'
import { fieldChoices, valueText } from './score-field.ts'
import type { ScoreSpec } from './use-specs.ts'
import { ScoreInput } from './score-input.tsx'

interface Props {
  readonly spec: ScoreSpec
  /** The user's own answer, as JSON text. */
  readonly value: string | undefined
  readonly others: readonly FeedbackRecord[]
  /** Whether number keys act on this score. */
  readonly isCurrent: boolean
  readonly onFocus: () => void
  readonly onScore: (value: string | undefined) => void
}

/** One score: its question, the user's own answer, and the answers of others. */
export function ScoreCard({ spec, value, others, isCurrent, onFocus, onScore }: Props) {
  const choices = fieldChoices(spec.field)
  return (
    <div
      className={styles.card}
      data-score={spec.object_id}
      data-current={isCurrent || undefined}
      onFocusCapture={onFocus}
    >
      <div className={styles.head}>
        <h3 className={`${styles.name} isolate`}>{visibleText(spec.name)}</h3>
        {value !== undefined && (
          <IconButton
            icon="close"
            label={`Clear ${spec.name}`}
            tooltip="Clear"
            size={20}
            onClick={() => onScore(undefined)}
          />
        )}
      </div>
      {spec.description !== '' && <p className={styles.about}>{spec.description}</p>}
      {choices === undefined ? (
        <ScoreInput key={value ?? ''} spec={spec} value={value} onScore={onScore} />
      ) : (
        <RovingRow label={spec.name} className={styles.choices}>
          {choices.map((choice) => (
            <button
              key={choice.value}
              type="button"
              className={styles.choice}
              aria-pressed={choice.value === value}
              aria-keyshortcuts={choice.key}
              data-value={spec.field.kind === 'boolean' ? choice.value : undefined}
              onClick={() => onScore(choice.value === value ? undefined : choice.value)}
            >
              <span className="isolate">{visibleText(choice.label)}</span>
              {choice.key !== undefined && choice.key !== choice.label && (
                <kbd className={styles.key} aria-hidden="true">
                  {choice.key.toUpperCase()}
                </kbd>
              )}
            </button>
          ))}
        </RovingRow>
      )}
      {others.length > 0 && (
        <p className={styles.others}>
          {others.slice(0, 5).map((record) => (
            <span key={record.id} className={`${styles.other} isolate`}>
              {record.creator ?? record.wb_user_id ?? 'Unknown user'}:{' '}
              <OtherValue spec={spec} record={record} />
            </span>
          ))}
        </p>
      )}
    </div>
  )
}

function OtherValue({ spec, record }: { readonly spec: ScoreSpec; readonly record: FeedbackRecord }) {
  const content = feedbackContent(record)
  return <b>{content.kind === 'score' ? valueText(spec.field, content.value) : '–'}</b>
}
