import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { projectParams, type Project } from '../api/project.ts'
import { JsonIndex } from '../json/json-index.ts'
import { JsonView } from '../json/json-view.tsx'
import { formatDuration, preciseMs } from '../time/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import type { SpanEvent, SpanLink } from './span-details.ts'
import styles from './span-events.module.css'

/** The events of a span, with the time since its start. */
export function SpanEvents(props: { readonly events: readonly SpanEvent[]; readonly started_at: string }) {
  return (
    <ol className="stack" aria-label="Events">
      {props.events.map((event, i) => (
        <li key={i} className={styles.item}>
          <time className={styles.time} dateTime={event.time} title={event.time}>
            {offsetText(event.time, props.started_at)}
          </time>
          <Entry name={`event ${i + 1}`} attributes={event.attributes}>
            <span className="isolate">{visibleText(event.name.slice(0, 300))}</span>
          </Entry>
        </li>
      ))}
    </ol>
  )
}

/** The spans that a span refers to, in other traces or in its own. */
export function SpanLinks(props: {
  readonly project: Project
  readonly links: readonly SpanLink[]
  readonly trace_id: string
}) {
  return (
    <ul className="stack" aria-label="Links">
      {props.links.map((link, i) => (
        <li key={i} className={styles.item}>
          <span className={styles.time}>{link.trace_id === props.trace_id ? 'this trace' : 'trace'}</span>
          <Entry name={`link ${i + 1}`} attributes={link.attributes}>
            <Link
              className="mono"
              to="/$entity/$project/weave/calls/$call_id"
              params={{ ...projectParams(props.project), call_id: link.call_id }}
              search={{}}
            >
              {visibleText(link.trace_id)}
            </Link>
          </Entry>
        </li>
      ))}
    </ul>
  )
}

function Entry(props: {
  readonly name: string
  readonly attributes: string | undefined
  readonly children: React.ReactNode
}) {
  const { attributes } = props
  return (
    <div className="wrap">
      {props.children}
      {attributes !== undefined && (
        <details className={styles.attributes}>
          <summary aria-label={`Attributes of ${props.name}`}>Attributes</summary>
          <Attributes name={props.name} json={attributes} />
        </details>
      )}
    </div>
  )
}

function Attributes({ name, json }: { readonly name: string; readonly json: string }) {
  const source = useMemo(() => new JsonIndex(json), [json])
  return <JsonView source={source} name={name} />
}

/** `+120 ms`; an event may be older than its span. */
function offsetText(time: string, started_at: string): string {
  const ms = preciseMs(time) - preciseMs(started_at)
  if (!Number.isFinite(ms)) return '–'
  return ms < 0 ? `−${formatDuration(-ms)}` : `+${formatDuration(ms)}`
}
