import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { LiveEvent } from '../../contract/live/live.ts'
import { followLive } from '../api/follow-live.ts'
import { projectParams, type Project } from '../api/project.ts'
import { queryClient } from '../api/query-client.ts'
import { callName } from '../call/op-name.ts'
import { Icon } from '../ui/icon.tsx'
import styles from './first-trace-status.module.css'

type ReceivedCall = Extract<LiveEvent, { kind: 'start' | 'end' }>

/** Shows whether the first call was received, and links to its trace. */
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
      <span className={styles.done}>
        <Icon name="check" size={14} />
      </span>
      <span className={styles.text}>
        <b className="isolate">{callName(call)}</b> has arrived
        {call.ended_at === null ? ' and is running' : ''}.
      </span>
      <Button
        renderRoot={(props) => (
          <Link
            {...props}
            to="/$entity/$project/weave/calls/$call_id"
            params={{ ...projectParams(project), call_id: call.id }}
            search={{}}
          />
        )}
      >
        Open trace
      </Button>
    </div>
  )
}
