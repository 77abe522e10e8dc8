import { Link } from '@tanstack/react-router'
import type { Project } from '../api/project.ts'
import { StatusIcon } from '../call/status-icon.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration, formatTime } from '../time/format.ts'
import { objectKind, type ObjectVersion, kindSegment } from './object-kind.ts'
import styles from './version-usage.module.css'
import { versionRef, useUsage } from './use-usage.ts'

/** The usage of a version: the calls that use it and the objects that reference it. */
export function VersionUsage({
  project,
  version,
}: {
  readonly project: Project
  readonly version: ObjectVersion
}) {
  const usage = useUsage(project, version)
  if (usage.isError) return <ErrorNotice error={usage.error} retry={() => void usage.refetch()} />
  if (usage.data === undefined) return null
  const { calls, callCount, objects } = usage.data
  if (callCount === 0 && objects.length === 0) {
    return (
      <EmptyState icon="link" title="Not used yet">
        No call or object in this project references this version.
      </EmptyState>
    )
  }
  const params = { entity: project.entity, project: project.project }
  const isOp = version.kind === 'op'
  return (
    <div className={styles.uses}>
      {objects.length > 0 && (
        <section aria-label="Objects">
          <h2 className={styles.title}>
            Referenced by{' '}
            {objects.length === 1 ? '1 object version' : `${formatCount(objects.length)} object versions`}
          </h2>
          <ul className={`${styles.list} rows`}>
            {objects.map((object) => {
              const kind = objectKind(object)
              return (
                <li key={`${object.object_id} ${object.digest}`}>
                  <Icon name={kind.icon} size={14} />
                  <Link
                    to="/$entity/$project/weave/$kind/$name/versions/$digest"
                    params={{
                      ...params,
                      kind: kindSegment(kind.name),
                      name: object.object_id,
                      digest: object.digest,
                    }}
                    search={{}}
                    className={styles.name}
                  >
                    <span className="isolate">{visibleText(object.object_id)}</span> v{object.version_index}
                  </Link>
                  <span className="faint">{kind.singular}</span>
                  <time className={styles.time} title={object.created_at}>
                    {formatTime(object.created_at)}
                  </time>
                </li>
              )
            })}
          </ul>
        </section>
      )}
      {callCount > 0 && (
        <section aria-label="Calls">
          <h2 className={styles.title}>
            {callsHeading(version, callCount)}
            {isOp && (
              <Link
                to="/$entity/$project/weave/traces"
                params={params}
                search={{
                  filter: `op_name = ${JSON.stringify(versionRef(project.project_id, version))}`,
                  show: 'calls',
                  range: 'all',
                }}
                className={styles.all}
              >
                Show in trace list
              </Link>
            )}
          </h2>
          <ul className={`${styles.list} rows`}>
            {calls.map((call) => (
              <li key={call.id}>
                <StatusIcon status={call.status} isStale={call.isStale} />
                <Link
                  to="/$entity/$project/weave/calls/$call_id"
                  params={{ ...params, call_id: call.id }}
                  search={{}}
                  preload={false}
                  className={styles.name}
                >
                  <span className="isolate">{call.name}</span>
                </Link>
                <span className="faint">
                  {call.latencyMs === undefined ? '' : formatDuration(call.latencyMs)}
                </span>
                <time className={styles.time} title={call.started_at}>
                  {formatTime(call.started_at)}
                </time>
              </li>
            ))}
          </ul>
          {callCount > calls.length && (
            <p className="faint">Showing the newest {formatCount(calls.length)}.</p>
          )}
        </section>
      )}
    </div>
  )
}

function callsHeading(version: ObjectVersion, count: number): string {
  const times = formatCount(count)
  if (version.kind === 'op') return count === 1 ? 'Called once' : `Called ${times} times`
  if (version.base_object_class === 'Dataset')
    return count === 1 ? '1 evaluation run' : `${times} evaluation runs`
  return count === 1 ? 'Input to 1 call' : `Input to ${times} calls`
}
