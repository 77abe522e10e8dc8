import { useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import { followLive } from '../api/follow-live.ts'
import { inPath, type Project } from '../api/project.ts'
import { queryClient } from '../api/query-client.ts'
import { type CallFacts, factsOf } from '../call/call-facts.ts'
import { boundsOf } from '../time/range.ts'
import { type ListQuestion, questionKey } from './list-question.ts'
import { SHOWN } from './use-call-list.ts'

/** Events of so long are asked for together. */
const GATHER_MS = 250
const MOST_AT_ONCE = 500

export interface LiveCalls {
  /** Calls that began or changed since the list was read, as they are now. */
  readonly calls: ReadonlyMap<string, CallFacts>
  readonly deleted: ReadonlySet<string>
}

const NONE: LiveCalls = { calls: new Map(), deleted: new Set() }

/** What has happened to the calls that a question is about, since it is asked. */
export function useLiveCalls(project: Project, question: ListQuestion, isOn: boolean): LiveCalls {
  const [live, setLive] = useState(NONE)
  const key = JSON.stringify(questionKey(question))
  useEffect(() => {
    setLive(NONE)
    if (!isOn || question.text !== undefined || question.trouble !== undefined) return undefined
    const ending = new AbortController()
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const readChanged = async (): Promise<void> => {
      timer = undefined
      const ids = [...changed].slice(0, MOST_AT_ONCE)
      for (const id of ids) changed.delete(id)
      if (changed.size > 0) gather()
      const { calls } = await api.call(
        'project_calls',
        {
          ...inPath(project),
          ...SHOWN,
          ...boundsOf(question.range, Date.now()),
          filter: { call_ids: ids, trace_roots_only: question.rootsOnly },
          query: question.query,
          limit: ids.length,
        },
        ending.signal,
      )
      setLive((before) => ({
        ...before,
        calls: new Map([...before.calls, ...calls.map((call) => [call.id, factsOf(call)] as const)]),
      }))
    }
    const gather = (): void => {
      timer ??= setTimeout(() => void readChanged().catch(() => undefined), GATHER_MS)
    }
    // Whatever is wrong is told by the requests of the list itself.
    const stop = followLive(
      { ...inPath(project), kinds: ['start', 'end', 'update', 'delete'] },
      {
        // The list was read before the feed began: what came between is in neither.
        read: async () => {
          changed.clear()
          await queryClient.invalidateQueries({
            queryKey: ['calls', project.project_id, ...questionKey(question)],
            exact: true,
          })
          setLive(NONE)
        },
        tell: (event) => {
          if (event.kind === 'delete') {
            setLive((before) => ({ ...before, deleted: new Set([...before.deleted, event.id]) }))
          } else if (event.kind !== 'feedback') {
            if (question.rootsOnly && event.parent_id !== null) return
            changed.add(event.id)
            gather()
          }
        },
      },
    )
    return () => {
      stop()
      ending.abort()
      clearTimeout(timer)
    }
  }, [project.project_id, key, isOn])
  return live
}

/** The list with what has happened since: newer calls first, changed ones in their place. */
export function withLive(calls: readonly CallFacts[], live: LiveCalls): readonly CallFacts[] {
  if (live.calls.size === 0 && live.deleted.size === 0) return calls
  const known = new Set(calls.map(({ id }) => id))
  const fresh = [...live.calls.values()]
    .filter(({ id }) => !known.has(id))
    .sort((a, b) => (a.started_at < b.started_at ? 1 : -1))
  return [...fresh, ...calls.map((call) => live.calls.get(call.id) ?? call)].filter(
    ({ id }) => !live.deleted.has(id),
  )
}
