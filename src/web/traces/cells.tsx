import { Link } from '@tanstack/react-router'
import type { Project } from '../api/project.ts'
import type { CallFacts } from '../call/call-facts.ts'
import { Elapsed } from '../call/elapsed.tsx'
import { exceptionLine } from '../call/exception-line.ts'
import { PreviewLine } from '../call/preview-line.tsx'
import { previewText } from '../call/preview-text.ts'
import { StatusMark } from '../call/status-mark.tsx'
import { formatCompact, formatCost, formatCount } from '../ui/format.ts'
import { Highlighted } from '../ui/highlighted.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration, formatTime } from '../time/format.ts'
import styles from './call-table.module.css'
import type { Column } from './columns.ts'
import { tagsOf } from './tags.ts'
import type { FoundCall, SearchMatch } from './use-search-list.ts'

interface Props {
  readonly project: Project
  readonly column: Column
  readonly call: CallFacts
  /** Values out of documents, by path. */
  readonly values: ReadonlyMap<string, string> | undefined
}

/** What a column shows of a call. */
export function Cell({ project, column, call, values }: Props) {
  if (column.path !== undefined) {
    const text = values?.get(column.path)
    if (column.name === 'tags') return <Tags json={text ?? ''} />
    return <span className={styles.mono}>{text === undefined ? '' : visibleText(previewText(text))}</span>
  }
  switch (column.name) {
    case 'name':
      return <Name project={project} call={call} />
    case 'input':
      return <Preview text={call.inputText} />
    case 'output':
      return call.exception === null ? (
        <Preview text={call.outputText} isRunning={call.status === 'running' && !call.isStale} />
      ) : (
        <span className={styles.exception}>{exceptionLine(call.exception)}</span>
      )
    case 'started':
      return <time title={call.started_at}>{formatTime(call.started_at)}</time>
    case 'latency':
      return <Latency call={call} />
    case 'tokens':
      return <Tokens call={call} />
    case 'cost':
      return <Cost call={call} />
    case 'feedback':
      return <FeedbackMarks call={call} />
    case 'user':
      return <span className="foreign">{visibleText(call.user ?? '')}</span>
    case 'model':
      return <span className={styles.mono}>{visibleText(call.models.join(', '))}</span>
    case 'thread':
      return <span className={styles.mono}>{visibleText(call.thread_id ?? '')}</span>
    case 'error':
      return (
        <span className={styles.exception}>
          {call.exception === null ? '' : exceptionLine(call.exception)}
        </span>
      )
    case 'id':
      return <span className={styles.mono}>{visibleText(call.id)}</span>
    default:
      return null
  }
}

function Name({ project, call }: { readonly project: Project; readonly call: CallFacts }) {
  return (
    <>
      <StatusMark status={call.status} isStale={call.isStale} />
      <Link
        to="/$entity/$project/weave/calls/$call_id"
        params={{ entity: project.entity, project: project.project, call_id: call.id }}
        search={{}}
        className={styles.name}
        preload={false}
        tabIndex={-1}
        // A plain click opens the trace beside the list, as one on the row does.
        onClick={(event) => {
          if (!event.ctrlKey && !event.metaKey && !event.shiftKey) event.preventDefault()
        }}
      >
        <span className="foreign">{call.name}</span>
      </Link>
    </>
  )
}

function Preview({ text, isRunning = false }: { readonly text: string; readonly isRunning?: boolean }) {
  if (isRunning) return <span className={styles.shimmer}>running…</span>
  return <PreviewLine json={text} />
}

function Latency({ call }: { readonly call: CallFacts }) {
  if (call.latencyMs !== undefined) return <>{formatDuration(call.latencyMs)}</>
  if (call.isStale)
    return (
      <span className={styles.faint} title="No end was ever received">
        no end
      </span>
    )
  return (
    <span className={styles.running}>
      <Elapsed since={call.started_at} />
    </span>
  )
}

function Tokens({ call }: { readonly call: CallFacts }) {
  if (call.tokens === undefined) return null
  const { input, output, total } = call.tokens
  return <span title={`${formatCount(input)} in, ${formatCount(output)} out`}>{formatCompact(total)}</span>
}

/** A model without a price costs something too: that is told, not shown as nothing. */
function Cost({ call }: { readonly call: CallFacts }) {
  const missing = call.unpriced.length > 0 ? `No price for ${call.unpriced.join(', ')}` : undefined
  if (call.cost === undefined) {
    return missing === undefined ? null : (
      <span className={styles.faint} title={missing}>
        no price
      </span>
    )
  }
  return (
    <span title={missing}>
      {missing !== undefined && '≥ '}
      {formatCost(call.cost)}
    </span>
  )
}

function FeedbackMarks({ call }: { readonly call: CallFacts }) {
  const emoji = [...new Set(call.reactions)].slice(0, 3)
  return (
    <span className={styles.marks}>
      {emoji.map((each) => (
        <span key={each}>{visibleText(each)}</span>
      ))}
      {call.noteCount > 0 && <span title={`${call.noteCount} notes`}>✎ {call.noteCount}</span>}
      {call.scoreCount > 0 && <span title={`${call.scoreCount} scores`}>★ {call.scoreCount}</span>}
    </span>
  )
}

function Tags({ json }: { readonly json: string }) {
  const tags = tagsOf(json)
  return (
    <span className={styles.tags} title={visibleText(tags.join(', '))}>
      {tags.map((tag) => (
        <span key={tag} className={`${styles.tag} foreign`}>
          {visibleText(tag)}
        </span>
      ))}
    </span>
  )
}

/** Where a text was found: the first place of each field, with the hits marked. */
export function Matches({ call }: { readonly call: FoundCall }) {
  const [first, ...others] = call.matches
  if (first === undefined) return null
  return (
    <span className={styles.preview}>
      <MatchText match={first} />
      {others.length > 0 && (
        <span className={styles.faint}> also in {others.map(({ field }) => field).join(', ')}</span>
      )}
    </span>
  )
}

/** Room for so many characters before the first hit. */
const LEAD = 40

function MatchText({ match }: { readonly match: SearchMatch }) {
  const start = Math.max(0, (match.ranges[0]?.[0] ?? 0) - LEAD)
  const ranges = match.ranges.map(([from, to]) => [from - start, to - start] as const)
  return (
    <>
      <span className={styles.field}>{match.field}</span>
      <span className="foreign">
        {start > 0 && '…'}
        <Highlighted text={match.excerpt.slice(start)} ranges={ranges} />
      </span>
    </>
  )
}
