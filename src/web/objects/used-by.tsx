import { Link } from '@tanstack/react-router'
import type { Project } from '../api/project.ts'
import { StatusMark } from '../call/status-mark.tsx'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration, formatTime } from '../time/format.ts'
import { kindOf, type ObjectVersion, segmentOf } from './object-kind.ts'
import styles from './used-by.module.css'
import { refOf, useUses } from './use-uses.ts'

/** Where a version is used: its calls or those that were given it, and the objects that name it. */
export function UsedBy({ project, version }: { readonly project: Project; readonly version: ObjectVersion }) {
  const uses = useUses(project, version)
  if (uses.isError) return <Failure error={uses.error} retry={() => void uses.refetch()} />
  if (uses.data === undefined) return null
  const { calls, callCount, objects } = uses.data
  if (callCount === 0 && objects.length === 0) {
    return (
      <Empty icon="link" title="Not used yet">
        No call and no object of this project names this version.
      </Empty>
    )
  }
  const params = { entity: project.entity, project: project.project }
  const isOp = version.kind === 'op'
  return (
    <div className={styles.uses}>
      {objects.length > 0 && (
        <section aria-label="Objects">
          <h2 className={styles.title}>
            Named by {objects.length === 1 ? 'one version' : `${formatCount(objects.length)} versions`} of
            objects
          </h2>
          <ul className={styles.list}>
            {objects.map((object) => {
              const kind = kindOf(object)
              return (
                <li key={`${object.object_id} ${object.digest}`}>
                  <Icon name={kind.icon} size={14} />
                  <Link
                    to="/$entity/$project/weave/$kind/$name/versions/$digest"
                    params={{
                      ...params,
                      kind: segmentOf(kind.name),
                      name: object.object_id,
                      digest: object.digest,
                    }}
                    search={{}}
                    className={styles.name}
                  >
                    <span className="foreign">{visibleText(object.object_id)}</span> v{object.version_index}
                  </Link>
                  <span className={styles.faint}>{kind.one}</span>
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
            {callsTitle(version, callCount)}
            {isOp && (
              <Link
                to="/$entity/$project/weave/traces"
                params={params}
                search={{
                  filter: `op = ${JSON.stringify(refOf(project.project_id, version))}`,
                  show: 'calls',
                  range: 'all',
                }}
                className={styles.all}
              >
                Show them in the list
              </Link>
            )}
          </h2>
          <ul className={styles.list}>
            {calls.map((call) => (
              <li key={call.id}>
                <StatusMark status={call.status} isStale={call.isStale} />
                <Link
                  to="/$entity/$project/weave/calls/$call_id"
                  params={{ ...params, call_id: call.id }}
                  search={{}}
                  preload={false}
                  className={styles.name}
                >
                  <span className="foreign">{call.name}</span>
                </Link>
                <span className={styles.faint}>
                  {call.latencyMs === undefined ? '' : formatDuration(call.latencyMs)}
                </span>
                <time className={styles.time} title={call.started_at}>
                  {formatTime(call.started_at)}
                </time>
              </li>
            ))}
          </ul>
          {callCount > calls.length && (
            <p className={styles.faint}>These are the newest {formatCount(calls.length)}.</p>
          )}
        </section>
      )}
    </div>
  )
}

function callsTitle(version: ObjectVersion, count: number): string {
  const times = formatCount(count)
  if (version.kind === 'op') return count === 1 ? 'Called once' : `Called ${times} times`
  if (version.base_object_class === 'Dataset')
    return count === 1 ? 'One evaluation run' : `${times} evaluation runs`
  return count === 1 ? 'Given to one call' : `Given to ${times} calls`
}
