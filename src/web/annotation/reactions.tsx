import type { FeedbackRecord } from './feedback-record.ts'
import { saidIn } from './feedback-record.ts'
import styles from './reactions.module.css'
import { Emoji } from './emoji.tsx'
import { RovingRow } from './roving-row.tsx'

const EMOJI = ['👍', '👎', '🎉', '❤️', '🤔', '🐛', '👀'] as const

interface Props {
  readonly records: readonly FeedbackRecord[]
  readonly mine: (record: FeedbackRecord) => boolean
  readonly onReact: (emoji: string) => void
}

/** Thumbs and emoji: pressed if one's own, with how many there are. Those of others that are not offered come last. */
export function Reactions({ records, mine, onReact }: Props) {
  const counts = new Map<string, { count: number; isMine: boolean }>(
    EMOJI.map((emoji) => [emoji, { count: 0, isMine: false }]),
  )
  for (const record of records) {
    const said = saidIn(record)
    if (said.kind !== 'reaction') continue
    const { count, isMine } = counts.get(said.emoji) ?? { count: 0, isMine: false }
    counts.set(said.emoji, { count: count + 1, isMine: isMine || mine(record) })
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
