import { Link } from '@tanstack/react-router'
import { projectParams, type Project } from '../api/project.ts'
import type { CallListItem } from '../call/call-list-item.ts'
import { Elapsed } from '../call/elapsed.tsx'
import { exceptionLine } from '../call/exception.ts'
import { StatusIcon } from '../call/status-icon.tsx'
import { MarkdownText } from '../markdown/markdown-text.tsx'
import { exactCost, formatCompact, formatKnownCost } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration, formatTime } from '../time/format.ts'
import styles from './thread-page.module.css'
import { assistantText, userText } from './turn-text.ts'
import { TURN_PREVIEW_CHARACTERS } from './use-turns.ts'

interface Props {
  readonly project: Project
  readonly turn: CallListItem
  readonly before: CallListItem | undefined
}

/** One turn: user message, response and metrics. */
export function Turn({ project, turn, before }: Props) {
  const pause = before === undefined ? 0 : Date.parse(turn.started_at) - Date.parse(before.started_at)
  const cost = formatKnownCost(turn.cost, turn.unpriced.length > 0)
  return (
    <li className="stack gap-8">
      {pause > LONG_PAUSE_MS && <p className={styles.pause}>{pauseText(pause)} later</p>}
      <div className={styles.user}>
        <MessageText
          text={userText(turn.inputText)}
          isTruncated={turn.inputText.length >= TURN_PREVIEW_CHARACTERS}
        />
      </div>
      <div className={styles.assistant} data-error={turn.status === 'error' || undefined}>
        <TurnResponse turn={turn} />
        <div className={styles.metrics}>
          <StatusIcon status={turn.status} isStale={turn.isStale} />
          <Link
            to="/$entity/$project/weave/calls/$call_id"
            params={{ ...projectParams(project), call_id: turn.id }}
            search={{}}
            className={styles.trace}
            data-turn-link=""
          >
            <span className="isolate">{turn.name}</span>
            <Icon name="chevronRight" size={12} />
          </Link>
          <time title={turn.started_at}>{formatTime(turn.started_at)}</time>
          {turn.latencyMs !== undefined && <span>{formatDuration(turn.latencyMs)}</span>}
          {turn.tokens !== undefined && <span>{formatCompact(turn.tokens.total)} tokens</span>}
          {cost !== undefined && (
            <span title={turn.cost === undefined ? undefined : exactCost(turn.cost)}>{cost}</span>
          )}
          {turn.endUser !== null && <span className="isolate">{visibleText(turn.endUser)}</span>}
          {[...new Set(turn.reactions)].map((emoji) => (
            <span key={emoji}>{emoji}</span>
          ))}
          {turn.noteCount > 0 && <span>{turn.noteCount === 1 ? '1 note' : `${turn.noteCount} notes`}</span>}
        </div>
      </div>
    </li>
  )
}

function TurnResponse({ turn }: { readonly turn: CallListItem }) {
  if (turn.exception !== null) return <p className="bad wrap">{exceptionLine(turn.exception)}</p>
  if (turn.status === 'running') {
    return <p className="none">{turn.isStale ? 'No end received.' : <Elapsed since={turn.started_at} />}</p>
  }
  return (
    <MessageText
      text={assistantText(turn.inputText, turn.outputText)}
      isTruncated={turn.outputText.length >= TURN_PREVIEW_CHARACTERS}
    />
  )
}

function MessageText({ text, isTruncated }: { readonly text: string; readonly isTruncated: boolean }) {
  if (text === '') return <p className="none">Empty</p>
  return (
    <>
      <MarkdownText text={text} className="lines" />
      {isTruncated && <p className="none">Truncated. Open the trace for the full text.</p>}
    </>
  )
}

const LONG_PAUSE_MS = 30 * 60_000

function pauseText(ms: number): string {
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} minutes`
  if (ms < 2 * 86_400_000) return `${Math.round(ms / 3_600_000)} hours`
  return `${Math.round(ms / 86_400_000)} days`
}
