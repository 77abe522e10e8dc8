import type { FeedbackRecord } from './feedback-record.ts'
import { feedbackContent } from './feedback-record.ts'
import styles from './reactions.module.css'
import { Emoji } from './emoji.tsx'
import { RovingRow } from './roving-row.tsx'

const EMOJI = ['👍', '👎', '🎉', '❤️', '🤔', '🐛', '👀'] as const

interface Props {
  readonly records: readonly FeedbackRecord[]
  readonly isOwn: (record: FeedbackRecord) => boolean
  readonly onReact: (emoji: string) => void
}

/** Emoji buttons with counts. The user's own reactions are pressed; emoji that only others used come last. */
export function Reactions({ records, isOwn, onReact }: Props) {
  const counts = new Map<string, { count: number; isMine: boolean }>(
    EMOJI.map((emoji) => [emoji, { count: 0, isMine: false }]),
  )
  for (const record of records) {
    const content = feedbackContent(record)
    if (content.kind !== 'reaction') continue
    const { count, isMine } = counts.get(content.emoji) ?? { count: 0, isMine: false }
    counts.set(content.emoji, { count: count + 1, isMine: isMine || isOwn(record) })
  }
  return (
    <RovingRow label="Reactions" className={styles.reactions}>
      {[...counts].map(([emoji, { count, isMine }]) => (
        <button
          key={emoji}
          type="button"
          className={styles.reaction}
          aria-pressed={isMine}
          aria-label={`React with ${emoji}${count > 0 ? `, ${count} so far` : ''}`}
          onClick={() => onReact(emoji)}
        >
          <Emoji emoji={emoji} />
          {count > 0 && <span className={styles.count}>{count}</span>}
        </button>
      ))}
    </RovingRow>
  )
}
