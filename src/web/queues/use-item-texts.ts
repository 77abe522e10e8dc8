import { useQueries } from '@tanstack/react-query'
import type { Project } from '../api/project.ts'
import { toCallListItem } from '../call/call-list-item.ts'
import { previewText } from '../call/preview-text.ts'
import { readCallsById } from '../call/read-calls.ts'

/** Items are read in groups, those of which a row is visible. */
const GROUP_SIZE = 50

/** What the calls of visible rows are about, by call: the beginning of their inputs, or their names. */
export function useItemTexts(
  project: Project,
  ids: readonly string[],
  visible: readonly number[],
): ReadonlyMap<string, string> {
  const groups = [...new Set(visible.map((index) => Math.floor(index / GROUP_SIZE)))]
  return useQueries({
    queries: groups.map((group) => {
      const part = ids.slice(group * GROUP_SIZE, (group + 1) * GROUP_SIZE)
      return {
        queryKey: ['item texts', project.project_id, part],
        queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
          const calls = await readCallsById(project, part, { signal })
          return calls.map((call): [string, string] => {
            const { id, name, inputText } = toCallListItem(call)
            return [id, previewText(inputText) || name]
          })
        },
        enabled: part.length > 0,
        staleTime: Number.POSITIVE_INFINITY,
      }
    }),
    combine: (results) => new Map(results.flatMap(({ data }) => data ?? [])),
  })
}
