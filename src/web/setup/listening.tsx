import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { LiveEvent } from '../../contract/live/live.ts'
import { followLive } from '../api/follow-live.ts'
import { inPath, type Project } from '../api/project.ts'
import { queryClient } from '../api/query-client.ts'
import { callName } from '../call/op-name.ts'
import { Icon } from '../ui/icon.tsx'
import styles from './listening.module.css'

type Arrived = Extract<LiveEvent, { kind: 'start' | 'end' }>

/** Waits for the first call, and says so; then leads to it. */
export function Listening({ project }: { readonly project: Project }) {
  const [call, setCall] = useState<Arrived>()
  useEffect(() => {
    // What is wrong with the server is told by the banner.
    return followLive(
      { ...inPath(project), kinds: ['start', 'end'] },
      {
        // Nothing is shown until something happens.
        read: async () => undefined,
        tell: (event) => {
          if (event.kind !== 'start' && event.kind !== 'end') return
          // The root is what people look for; what it called comes with it.
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
        Listening for the first trace of {project.project_id}…
      </div>
    )
  }
  return (
    <div className={styles.arrived} role="status">
      <span className={styles.done}>
        <Icon name="check" size={14} />
      </span>
      <span className={styles.text}>
        <b className="foreign">{callName(call)}</b> has arrived
        {call.ended_at === null ? ' and is running' : ''}.
      </span>
      <Button
        renderRoot={(props) => (
          <Link
            {...props}
            to="/$entity/$project/weave/calls/$call_id"
            params={{ ...inPath(project), call_id: call.id }}
            search={{}}
          />
        )}
      >
        Look at the trace
      </Button>
    </div>
  )
}
