import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { readAllRows, tableOf } from '../datasets/table-rows.ts'
import { prettyJson } from '../diff/pretty-json.ts'
import { filesOf } from './object-files.ts'
import type { ObjectVersion } from './object-kind.ts'

/** A part of a version that can be compared with the same part of another. */
export interface ComparedPart {
  readonly title: string
  readonly text: string
}

/** Rows beyond these are not compared. */
const MOST_ROWS = 10_000

/** A version as texts: its code, its rows one a line, and its value in one form for all. */
export function useComparedParts(project: Project, version: ObjectVersion | undefined) {
  return useQuery({
    queryKey: ['compared parts', project.project_id, version?.object_id, version?.digest],
    queryFn: async ({ signal }): Promise<ComparedPart[]> => {
      if (version === undefined) return []
      const val = version.val.text
      const files = await Promise.all(
        filesOf(val).map(async ({ name, digest }) => {
          const blob = await api.call('file_content', { project_id: project.project_id, digest }, signal)
          return { title: name, text: (await blob.text()).replace(/\n$/, '') }
        }),
      )
      const table = version.base_object_class === 'Dataset' ? tableOf(val) : undefined
      const rows = table === undefined ? [] : await readAllRows(project, table, MOST_ROWS, signal)
      return [
        ...files,
        ...(table === undefined ? [] : [{ title: 'Rows', text: rows.map(oneLine).join('\n') }]),
        { title: 'Value', text: prettyJson(val) },
      ]
    },
    enabled: version !== undefined,
    staleTime: Infinity,
  })
}

/** A row may be spelled over several lines; between values an end of line says nothing. */
function oneLine(row: string): string {
  return row.replaceAll(/\s*\n\s*/g, ' ')
}
