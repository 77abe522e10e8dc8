import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LiveEvent } from '../../contract/live/live.ts'
import { api } from '../api/client.ts'
import { followLive } from '../api/follow-live.ts'
import { projectParams, type Project } from '../api/project.ts'
import { queryClient } from '../api/query-client.ts'
import { callName } from '../call/op-name.ts'
import { Icon } from '../ui/icon.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { formatAgo } from '../time/format.ts'
import styles from './first-trace-status.module.css'

type ReceivedCall = Extract<LiveEvent, { kind: 'start' | 'end' }>

/** Shows whether the project has a trace or the first call was received, and links to it. */
export function FirstTraceStatus({ project }: { readonly project: Project }) {
  const [call, setCall] = useState<ReceivedCall>()
  useEffect(() => {
    // Connection errors are shown by the banner.
    return followLive(
      { ...projectParams(project), kinds: ['start', 'end'] },
      {
        // There is no initial state to read.
        read: async () => undefined,
        onEvent: (event) => {
          if (event.kind !== 'start' && event.kind !== 'end') return
          // Keep the first call: it is usually the root of the trace.
          setCall((before) => (before === undefined || before.id === event.id ? event : before))
          if (event.parent_id === null)
            void queryClient.invalidateQueries({ queryKey: ['calls', project.project_id] })
        },
      },
    )
  }, [project.project_id])
  const newest = useNewestTrace(project)
  if (call === undefined && newest.data !== undefined && newest.data !== null) {
    const { id, started_at } = newest.data
    return (
      <div className={styles.received} role="status">
        <span className="row ok">
          <Icon name="check" size={14} />
        </span>
        <span className="grow">
          This project already has traces. The newest is <b className="isolate">{callName(newest.data)}</b>,{' '}
          <time title={started_at}>{formatAgo(started_at, Date.now())}</time>.
        </span>
        <OpenTrace project={project} callId={id}>
          Open newest trace
        </OpenTrace>
      </div>
    )
  }
  if (call === undefined) {
    return (
      <div className={styles.line} role="status">
        <span className={styles.pulse} />
        Waiting for the first trace in {project.project_id}…
      </div>
    )
  }
  return (
    <div className={styles.received} role="status">
      <span className="row ok">
        <Icon name="check" size={14} />
      </span>
      <span className="grow">
        <b className="isolate">{callName(call)}</b> has arrived
        {call.ended_at === null ? ' and is running' : ''}.
      </span>
      <OpenTrace project={project} callId={call.id}>
        Open trace
      </OpenTrace>
    </div>
  )
}

/** Whether the project has traces; undefined until it is known. */
export function useHasTraces(project: Project): boolean | undefined {
  const { data } = useNewestTrace(project)
  return data === undefined ? undefined : data !== null
}

function useNewestTrace(project: Project) {
  return useQuery({
    queryKey: ['newest trace', project.project_id],
    queryFn: async ({ signal }) => {
      const { calls } = await api.call(
        'project_calls',
        {
          ...projectParams(project),
          filter: { trace_roots_only: true },
          columns: ['id', 'op_name', 'display_name', 'started_at'],
          limit: 1,
        },
        signal,
      )
      return calls[0] ?? null
    },
    gcTime: 0,
  })
}

function OpenTrace(props: { readonly project: Project; readonly callId: string; readonly children: string }) {
  return (
    <LinkButton
      to="/$entity/$project/weave/calls/$call_id"
      params={{ ...projectParams(props.project), call_id: props.callId }}
      search={{}}
    >
      {props.children}
    </LinkButton>
  )
}
