import { Link } from '@tanstack/react-router'
import { createContext, use } from 'react'
import type { Project } from '../api/project.ts'
import type { CallListItem } from '../call/call-list-item.ts'
import { Elapsed } from '../call/elapsed.tsx'
import { EndUserLink } from '../call/end-user-link.tsx'
import { exceptionLine } from '../call/exception.ts'
import { PreviewLine } from '../call/preview-line.tsx'
import { previewText } from '../call/preview-text.ts'
import { StatusIcon } from '../call/status-icon.tsx'
import gridStyles from '../ui/data-grid/data-grid.module.css'
import { exactCost, formatCompact, formatCount, formatKnownCost } from '../ui/format.ts'
import { Highlighted } from '../ui/highlighted.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration, formatTime } from '../time/format.ts'
import styles from './cells.module.css'
import type { Column } from './columns.ts'
import { matchExcerpt } from './match-excerpt.ts'
import { parseTags } from './tags.ts'
import type { MatchedCall, SearchMatch } from './use-search-list.ts'

interface Props {
  readonly project: Project
  readonly column: Column
  readonly call: CallListItem
}

/** JSON values of the path columns, by call and path. A context, so that new values render only their cells. */
export const PathValues = createContext<ReadonlyMap<string, ReadonlyMap<string, string>>>(new Map())

function PathValue({ project, column, call }: Props) {
  const text = use(PathValues)
    .get(call.id)
    ?.get(column.path ?? '')
  if (column.name === 'end_user') {
    const endUser = call.endUser ?? (text === undefined ? null : previewText(text))
    return endUser === null || endUser === '' ? null : <EndUserLink project={project} endUser={endUser} />
  }
  const ofTrace = column.name === 'session' || column.name === 'environment' ? call[column.name] : null
  if (ofTrace !== null) return <span className={styles.mono}>{visibleText(ofTrace)}</span>
  if (column.name === 'tags') return <Tags tags={new Set([...parseTags(text ?? ''), ...call.tags])} />
  if (column.name === 'time_to_first_token')
    return text === undefined ? null : <>{formatDuration(Number(JSON.parse(text)))}</>
  return <span className={styles.mono}>{text === undefined ? '' : visibleText(previewText(text))}</span>
}

/** The content of one cell of the call table. */
export function Cell({ project, column, call }: Props) {
  if (column.path !== undefined) return <PathValue project={project} column={column} call={call} />
  switch (column.name) {
    case 'name':
      return <Name project={project} call={call} />
    case 'input':
      return <Preview text={call.inputText} />
    case 'output':
      return call.exception === null ? (
        <Preview text={call.outputText} isRunning={call.status === 'running' && !call.isStale} />
      ) : (
        <span className="bad">{exceptionLine(call.exception)}</span>
      )
    case 'started':
      return <time title={call.started_at}>{formatTime(call.started_at)}</time>
    case 'latency':
      return <Latency call={call} />
    case 'tokens':
      return <Tokens call={call} />
    case 'input_tokens':
      return call.tokens === undefined ? null : <>{formatCount(call.tokens.input)}</>
    case 'output_tokens':
      return call.tokens === undefined ? null : <>{formatCount(call.tokens.output)}</>
    case 'cost':
      return <Cost call={call} />
    case 'feedback':
      return <FeedbackSummary call={call} />
    case 'user':
      return <span className="isolate">{visibleText(call.user ?? '')}</span>
    case 'model':
      return <span className={styles.mono}>{visibleText(call.models.join(', '))}</span>
    case 'thread':
      return <span className={styles.mono}>{visibleText(call.thread_id ?? '')}</span>
    case 'error':
      return <span className="bad">{call.exception === null ? '' : exceptionLine(call.exception)}</span>
    case 'id':
      return <span className={styles.mono}>{visibleText(call.id)}</span>
    default:
      return null
  }
}

function Name({ project, call }: { readonly project: Project; readonly call: CallListItem }) {
  return (
    <>
      <StatusIcon status={call.status} isStale={call.isStale} />
      <Link
        to="/$entity/$project/weave/calls/$call_id"
        params={{ entity: project.entity, project: project.project, call_id: call.id }}
        search={{}}
        className={gridStyles.name}
        preload={false}
        tabIndex={-1}
        data-opens-row
        // A plain click opens the trace in the drawer, like a click on the row.
        onClick={(event) => {
          if (!event.ctrlKey && !event.metaKey && !event.shiftKey) event.preventDefault()
        }}
      >
        <span className="isolate">{call.name}</span>
      </Link>
    </>
  )
}

function Preview({ text, isRunning = false }: { readonly text: string; readonly isRunning?: boolean }) {
  if (isRunning) return <span className="shimmer">Running…</span>
  return <PreviewLine json={text} />
}

export function Latency({ call }: { readonly call: CallListItem }) {
  if (call.latencyMs !== undefined) return <>{formatDuration(call.latencyMs)}</>
  if (call.isStale)
    return (
      <span className="faint" title="No end received">
        no end
      </span>
    )
  return (
    <span className="warn">
      <Elapsed since={call.started_at} />
    </span>
  )
}

function Tokens({ call }: { readonly call: CallListItem }) {
  if (call.tokens === undefined) return null
  const { input, output, total } = call.tokens
  return <span title={`${formatCount(input)} in, ${formatCount(output)} out`}>{formatCompact(total)}</span>
}

/** Shows “no price” or a lower bound for unpriced models, never an empty cell: their calls are not free. */
export function Cost({ call }: { readonly call: CallListItem }) {
  const missing = call.unpriced.length > 0 ? `No price for ${call.unpriced.join(', ')}` : undefined
  const exact = call.cost === undefined ? undefined : exactCost(call.cost)
  return (
    <span
      className={exact === undefined ? 'faint' : undefined}
      title={[exact, missing].filter((text) => text !== undefined).join('. ')}
    >
      {formatKnownCost(call.cost, missing !== undefined)}
    </span>
  )
}

function FeedbackSummary({ call }: { readonly call: CallListItem }) {
  const emoji = [...new Set(call.reactions)].slice(0, 3)
  return (
    <span className={styles.feedback}>
      {emoji.map((each) => (
        <span key={each}>{visibleText(each)}</span>
      ))}
      {call.noteCount > 0 && (
        <span title={`${call.noteCount} ${call.noteCount === 1 ? 'note' : 'notes'}`}>✎ {call.noteCount}</span>
      )}
      {call.scoreCount > 0 && (
        <span title={`${call.scoreCount} ${call.scoreCount === 1 ? 'score' : 'scores'}`}>
          ★ {call.scoreCount}
        </span>
      )}
    </span>
  )
}

function Tags({ tags }: { readonly tags: ReadonlySet<string> }) {
  return (
    <span className={styles.tags} title={visibleText([...tags].join(', '))}>
      {[...tags].map((tag) => (
        <span key={tag} className={`${styles.tag} isolate`}>
          {visibleText(tag)}
        </span>
      ))}
    </span>
  )
}

/** The first match of a text search, and the names of the other fields that match. */
export function Matches({ call }: { readonly call: MatchedCall }) {
  const [first, ...others] = call.matches
  if (first === undefined) return null
  return (
    <span className="soft">
      <MatchText match={first} />
      {others.length > 0 && (
        <span className="faint"> also in {others.map(({ field }) => field).join(', ')}</span>
      )}
    </span>
  )
}

function MatchText({ match }: { readonly match: SearchMatch }) {
  const { text, ranges, isCut } = matchExcerpt(match)
  return (
    <>
      <span className={styles.field}>{match.field}</span>
      <span className="isolate">
        {isCut && '…'}
        <Highlighted text={text} ranges={ranges} />
      </span>
    </>
  )
}
