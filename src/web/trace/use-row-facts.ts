import { useEffect, useRef, useState } from 'react'
import { api } from '../api/client.ts'
import { FACT_COLUMNS } from '../api/call-columns.ts'
import { inPath, type Project } from '../api/project.ts'
import { type CallFacts, factsOf } from '../call/call-facts.ts'
import { kindByAttributes } from '../call/kind.ts'
import type { TraceStore } from './trace-store.ts'

const GATHER_MS = 60
const MOST_AT_ONCE = 200
const PREVIEW_CHARACTERS = 700

/**
 * Tokens, costs and previews of the calls that are on the screen, asked for in groups. A call that was running is asked
 * for again when it has ended.
 */
export function useRowFacts(
  project: Project,
  store: TraceStore,
  visible: readonly string[],
): ReadonlyMap<string, CallFacts> {
  const [facts, setFacts] = useState<ReadonlyMap<string, CallFacts>>(new Map())
  const asked = useRef(new Map<string, boolean>())
  useEffect(() => {
    asked.current = new Map()
    setFacts(new Map())
  }, [store])
  const wanted = visible.filter((id) => {
    const isEnded = store.get(id)?.call.endMs !== undefined
    return asked.current.get(id) !== isEnded
  })
  const key = wanted.join()
  useEffect(() => {
    if (key === '') return undefined
    const ids = wanted.slice(0, MOST_AT_ONCE)
    const ending = new AbortController()
    const timer = setTimeout(() => {
      for (const id of ids) asked.current.set(id, store.get(id)?.call.endMs !== undefined)
      const show = async (): Promise<void> => {
        const calls = await read(project, ids, ending.signal)
        for (const { facts, kind } of calls) if (kind !== undefined) store.noteKind(facts.id, kind)
        setFacts((before) => new Map([...before, ...calls.map(({ facts }) => [facts.id, facts] as const)]))
      }
      // The tree stands without them; they are asked for again when they come back into view.
      show().catch(() => {
        for (const id of ids) asked.current.delete(id)
      })
    }, GATHER_MS)
    return () => clearTimeout(timer)
  }, [key, store])
  return facts
}

async function read(project: Project, ids: readonly string[], signal: AbortSignal) {
  const { calls } = await api.call(
    'project_calls',
    {
      ...inPath(project),
      filter: { call_ids: [...ids] },
      columns: [...FACT_COLUMNS, 'attributes'],
      include_costs: true,
      include_feedback: true,
      include_usernames: true,
      preview_characters: PREVIEW_CHARACTERS,
      limit: ids.length,
    },
    signal,
  )
  return calls.map((call) => ({ facts: factsOf(call), kind: kindByAttributes(call.attributes.text) }))
}
