import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { readAllRows, tableSource } from '../datasets/table-rows.ts'
import { prettyJson } from '../diff/pretty-json.ts'
import { objectFiles } from './object-files.ts'
import { objectKind, type ObjectVersion } from './object-kind.ts'
import { type ComparedPart, promptParts } from './prompt-parts.ts'

/** Only the first rows of a dataset are compared. */
const MAX_ROWS = 10_000

/** A version as comparable texts: its code, its rows one per line, and its value as normalized JSON. */
export function useComparedParts(project: Project, version: ObjectVersion | undefined) {
  return useQuery({
    queryKey: ['compared parts', project.project_id, version?.object_id, version?.digest],
    queryFn: async ({ signal }): Promise<ComparedPart[]> => {
      if (version === undefined) return []
      const val = version.val.text
      const isPrompt = objectKind(version).name === 'prompts'
      const files = await Promise.all(
        objectFiles(val).map(async ({ name, digest }) => {
          const blob = await api.call('file_content', { project_id: project.project_id, digest }, signal)
          return { title: name, text: (await blob.text()).replace(/\n$/, '') }
        }),
      )
      const table = version.base_object_class === 'Dataset' ? tableSource(val) : undefined
      const rows = table === undefined ? [] : await readAllRows(project, table, MAX_ROWS, signal)
      return [
        ...files,
        ...(table === undefined ? [] : [{ title: 'Rows', text: rows.map(toSingleLine).join('\n') }]),
        ...((isPrompt ? promptParts(val) : undefined) ?? [{ title: 'Value', text: prettyJson(val) }]),
      ]
    },
    enabled: version !== undefined,
    staleTime: Infinity,
  })
}

/** A row may span several lines. Line breaks between JSON values are insignificant. */
function toSingleLine(row: string): string {
  return row.replaceAll(/\s*\n\s*/g, ' ')
}
