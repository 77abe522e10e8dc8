import { useEffect, useRef, useState } from 'react'
import { api } from '../api/client.ts'
import { CALL_LIST_COLUMNS } from '../api/call-columns.ts'
import { projectParams, type Project } from '../api/project.ts'
import { type CallListItem, toCallListItem } from '../call/call-list-item.ts'
import { kindFromAttributes } from '../call/call-kind.ts'
import type { TraceStore } from './trace-store.ts'

const BATCH_DELAY_MS = 60
const MAX_BATCH_SIZE = 200
const PREVIEW_CHARACTERS = 700

/** Tokens, costs and previews of the visible rows, fetched in batches. A running call is fetched again when it ends. */
export function useRowDetails(
  project: Project,
  store: TraceStore,
  visible: readonly string[],
): ReadonlyMap<string, CallListItem> {
  const [details, setDetails] = useState<ReadonlyMap<string, CallListItem>>(new Map())
  const requested = useRef(new Map<string, boolean>())
  useEffect(() => {
    requested.current = new Map()
    setDetails(new Map())
  }, [store])
  const missing = visible.filter((id) => {
    const isEnded = store.get(id)?.call.endMs !== undefined
    return requested.current.get(id) !== isEnded
  })
  const key = missing.join()
  useEffect(() => {
    if (key === '') return undefined
    const ids = missing.slice(0, MAX_BATCH_SIZE)
    const abortController = new AbortController()
    const timer = setTimeout(() => {
      for (const id of ids) requested.current.set(id, store.get(id)?.call.endMs !== undefined)
      const loadDetails = async (): Promise<void> => {
        const calls = await readDetails(project, ids, abortController.signal)
        for (const { details, kind } of calls) if (kind !== undefined) store.setKind(details.id, kind)
        setDetails(
          (before) => new Map([...before, ...calls.map(({ details }) => [details.id, details] as const)]),
        )
      }
      // The tree works without details. They are requested again when the rows become visible again.
      loadDetails().catch(() => {
        for (const id of ids) requested.current.delete(id)
      })
    }, BATCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [key, store])
  return details
}

async function readDetails(project: Project, ids: readonly string[], signal: AbortSignal) {
  const { calls } = await api.call(
    'project_calls',
    {
      ...projectParams(project),
      filter: { call_ids: [...ids] },
      columns: [...CALL_LIST_COLUMNS, 'attributes.kind'],
      include_costs: true,
      include_feedback: true,
      include_usernames: true,
      preview_characters: PREVIEW_CHARACTERS,
      preview_messages: true,
      limit: ids.length,
    },
    signal,
  )
  return calls.map((call) => ({
    details: toCallListItem(call),
    kind: kindFromAttributes(call.attributes.text),
  }))
}
