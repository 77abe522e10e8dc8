import { useEffect, useRef, useState } from 'react'
import { api } from '../api/client.ts'
import { followLive } from '../api/follow-live.ts'
import { projectParams, type Project } from '../api/project.ts'
import { queryClient } from '../api/query-client.ts'
import { type CallListItem, toCallListItem } from '../call/call-list-item.ts'
import { rangeBounds } from '../time/range.ts'
import { type ListQuery, listQueryKey } from './list-query.ts'
import { LIST_ITEM_PARAMS } from '../call/read-calls.ts'

/** Events within this time are read in one request. */
const BATCH_DELAY_MS = 250
const MAX_BATCH_SIZE = 500
/** While calls arrive, the histogram and the count are read again at most this often. */
const COUNT_DELAY_MS = 2000

export interface LiveCalls {
  /** Current state of calls that started or changed since the list was loaded. */
  readonly calls: ReadonlyMap<string, CallListItem>
  readonly deleted: ReadonlySet<string>
}

const NONE: LiveCalls = { calls: new Map(), deleted: new Set() }

/** Follows the live feed for the calls of a list query. */
export function useLiveCalls(project: Project, listQuery: ListQuery, isOn: boolean): LiveCalls {
  const [live, setLive] = useState(NONE)
  const key = JSON.stringify(listQueryKey(listQuery))
  const liveKey = useRef('')
  useEffect(() => {
    const reload = async (): Promise<void> => {
      await queryClient.invalidateQueries({
        queryKey: ['calls', project.project_id, ...listQueryKey(listQuery)],
        exact: true,
      })
      setLive(NONE)
    }
    if (!isOn || listQuery.text !== undefined || listQuery.filterError !== undefined) {
      // The calls that arrived stay in the list. It contains them when it is loaded again.
      if (liveKey.current === key) void reload()
      else setLive(NONE)
      liveKey.current = ''
      return undefined
    }
    if (liveKey.current !== key) setLive(NONE)
    liveKey.current = key
    const abortController = new AbortController()
    const pendingIds = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let countTimer: ReturnType<typeof setTimeout> | undefined
    const readPending = async (): Promise<void> => {
      timer = undefined
      const ids = [...pendingIds].slice(0, MAX_BATCH_SIZE)
      for (const id of ids) pendingIds.delete(id)
      if (pendingIds.size > 0) scheduleRead()
      const { calls } = await api.call(
        'project_calls',
        {
          ...projectParams(project),
          ...LIST_ITEM_PARAMS,
          include_trace_totals: listQuery.rootsOnly,
          ...rangeBounds(listQuery.range, Date.now()),
          filter: { call_ids: ids, traces_only: listQuery.rootsOnly },
          query: listQuery.query,
          limit: ids.length,
        },
        abortController.signal,
      )
      setLive((before) => ({
        ...before,
        calls: new Map([...before.calls, ...calls.map((call) => [call.id, toCallListItem(call)] as const)]),
      }))
      countTimer ??= setTimeout(() => {
        countTimer = undefined
        void queryClient.invalidateQueries({ queryKey: ['histogram', project.project_id] })
      }, COUNT_DELAY_MS)
    }
    const scheduleRead = (): void => {
      timer ??= setTimeout(() => void readPending().catch(() => undefined), BATCH_DELAY_MS)
    }
    // Errors are ignored here: the requests of the list report them.
    const stop = followLive(
      { ...projectParams(project), kinds: ['start', 'end', 'update', 'delete'] },
      {
        // The list was loaded before the feed started, so calls in between are in neither. Reload it.
        read: async () => {
          pendingIds.clear()
          await reload()
        },
        onEvent: (event) => {
          if (event.kind === 'delete') {
            setLive((before) => ({ ...before, deleted: new Set([...before.deleted, event.id]) }))
          } else if (event.kind !== 'feedback') {
            if (listQuery.rootsOnly && event.parent_id !== null) return
            pendingIds.add(event.id)
            scheduleRead()
          }
        },
      },
    )
    return () => {
      stop()
      abortController.abort()
      clearTimeout(timer)
      clearTimeout(countTimer)
    }
  }, [project.project_id, key, isOn])
  return live
}

/** Merges live calls into the list: new calls first, changed calls in place, deleted calls removed. */
export function mergeLiveCalls(calls: readonly CallListItem[], live: LiveCalls): readonly CallListItem[] {
  if (live.calls.size === 0 && live.deleted.size === 0) return calls
  const loadedIds = new Set(calls.map(({ id }) => id))
  const newCalls = [...live.calls.values()]
    .filter(({ id }) => !loadedIds.has(id))
    .sort((a, b) => (a.started_at < b.started_at ? 1 : -1))
  return [...newCalls, ...calls.map((call) => live.calls.get(call.id) ?? call)].filter(
    ({ id }) => !live.deleted.has(id),
  )
}
