import { useQuery } from '@tanstack/react-query'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import type { JsonSource } from '../json/json-source.ts'
import { JsonView } from '../json/json-view.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatBytes } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import styles from './explain-view.module.css'
import { PayloadSection } from './payload-section.tsx'

interface Props {
  readonly project: Project
  readonly callId: string
  readonly span: JsonSource
}

/** How a span became this call: the attributes that each field was read from, and the span itself. */
export function ExplainView({ project, callId, span }: Props) {
  return (
    <>
      <PayloadSection title="Mapping">
        <MappingTable project={project} callId={callId} />
      </PayloadSection>
      <PayloadSection title="Span" about={formatBytes(span.size)}>
        <JsonView source={span} name="attributes.otel_span" />
      </PayloadSection>
    </>
  )
}

function MappingTable({ project, callId }: Omit<Props, 'span'>) {
  const explained = useQuery({
    queryKey: ['explain', project.project_id, callId],
    queryFn: ({ signal }) => api.call('call_explain', { ...projectParams(project), call_id: callId }, signal),
  })
  if (explained.isError) return <ErrorNotice error={explained.error} retry={() => void explained.refetch()} />
  if (explained.data === undefined)
    return (
      <p className={styles.faint} role="status">
        Loading…
      </p>
    )
  const { is_span: isSpan, fields } = explained.data
  if (!isSpan)
    return (
      <EmptyState icon="op" title="No explanation">
        This span was not stored by Heddle&apos;s OpenTelemetry ingest, so its mapping is unknown.
      </EmptyState>
    )
  if (fields.length === 0)
    return (
      <EmptyState icon="op" title="No rule applied">
        No known convention describes this span. Its attributes are under Attributes, as sent.
      </EmptyState>
    )
  return (
    <>
      <p className={styles.faint}>
        Fields that were read from the span, by convention. All other attributes are under Attributes, as
        sent.
      </p>
      <div className="wide" tabIndex={0} role="region" aria-label="Mapping of the span">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Field of the call</th>
              <th scope="col">Read from</th>
            </tr>
          </thead>
          {[...groupByDialect(fields)].map(([title, rules]) => (
            <tbody key={title}>
              <tr>
                <th scope="rowgroup" colSpan={2} className={styles.dialect}>
                  {title}
                </th>
              </tr>
              {rules.map(({ field, from }, i) => (
                <tr key={i}>
                  <td>
                    <code>{field}</code>
                  </td>
                  <td>
                    <ul>
                      {from.map((key) => (
                        <li key={key}>
                          <code className="isolate">{visibleText(key)}</code>
                        </li>
                      ))}
                    </ul>
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </>
  )
}

type FieldSource = BrowserResponse<'call_explain'>['fields'][number]

function groupByDialect(fields: readonly FieldSource[]): ReadonlyMap<string, readonly FieldSource[]> {
  const groups = new Map<string, FieldSource[]>()
  for (const field of fields) {
    const group = groups.get(field.dialect_title)
    if (group === undefined) groups.set(field.dialect_title, [field])
    else group.push(field)
  }
  return groups
}
