import { Link } from '@tanstack/react-router'
import { inPath, type Project } from '../api/project.ts'
import type { CallFacts } from '../call/call-facts.ts'
import { Elapsed } from '../call/elapsed.tsx'
import { exceptionLine } from '../call/exception-line.ts'
import { StatusMark } from '../call/status-mark.tsx'
import { formatCompact, formatCost } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration, formatTime } from '../time/format.ts'
import styles from './thread-page.module.css'
import { answeredText, askedText } from './turn-text.ts'
import { TURN_CHARACTERS } from './use-turns.ts'

interface Props {
  readonly project: Project
  readonly turn: CallFacts
  readonly before: CallFacts | undefined
}

/** One turn: what was asked and what came of it. */
export function Turn({ project, turn, before }: Props) {
  const pause = before === undefined ? 0 : Date.parse(turn.started_at) - Date.parse(before.started_at)
  return (
    <li className={styles.turn}>
      {pause > LONG_PAUSE_MS && <p className={styles.pause}>{pauseText(pause)} later</p>}
      <div className={styles.asked}>
        <Said text={askedText(turn.inputText)} isCut={turn.inputText.length >= TURN_CHARACTERS} />
      </div>
      <div className={styles.answered} data-failed={turn.status === 'error' || undefined}>
        <Answer turn={turn} />
        <div className={styles.facts}>
          <StatusMark status={turn.status} isStale={turn.isStale} />
          <Link
            to="/$entity/$project/weave/calls/$call_id"
            params={{ ...inPath(project), call_id: turn.id }}
            search={{}}
            className={styles.trace}
            data-turn-link=""
          >
            <span className="foreign">{turn.name}</span>
            <Icon name="chevronRight" size={12} />
          </Link>
          <time title={turn.started_at}>{formatTime(turn.started_at)}</time>
          {turn.latencyMs !== undefined && <span>{formatDuration(turn.latencyMs)}</span>}
          {turn.tokens !== undefined && <span>{formatCompact(turn.tokens.total)} tokens</span>}
          {turn.cost !== undefined && <span>{formatCost(turn.cost)}</span>}
          {turn.user !== null && <span className="foreign">{visibleText(turn.user)}</span>}
          {[...new Set(turn.reactions)].map((emoji) => (
            <span key={emoji}>{emoji}</span>
          ))}
          {turn.noteCount > 0 && <span>{turn.noteCount === 1 ? '1 note' : `${turn.noteCount} notes`}</span>}
        </div>
      </div>
    </li>
  )
}

function Answer({ turn }: { readonly turn: CallFacts }) {
  if (turn.exception !== null) return <p className={styles.failure}>{exceptionLine(turn.exception)}</p>
  if (turn.status === 'running') {
    return (
      <p className={styles.nothing}>
        {turn.isStale ? 'No end was ever received.' : <Elapsed since={turn.started_at} />}
      </p>
    )
  }
  return (
    <Said
      text={answeredText(turn.inputText, turn.outputText)}
      isCut={turn.outputText.length >= TURN_CHARACTERS}
    />
  )
}

function Said({ text, isCut }: { readonly text: string; readonly isCut: boolean }) {
  if (text === '') return <p className={styles.nothing}>nothing</p>
  return (
    <>
      <p className={styles.text} dir="auto">
        {visibleText(text)}
      </p>
      {isCut && <p className={styles.nothing}>It goes on: the trace has all of it.</p>}
    </>
  )
}

const LONG_PAUSE_MS = 30 * 60_000

function pauseText(ms: number): string {
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} minutes`
  if (ms < 2 * 86_400_000) return `${Math.round(ms / 3_600_000)} hours`
  return `${Math.round(ms / 86_400_000)} days`
}
