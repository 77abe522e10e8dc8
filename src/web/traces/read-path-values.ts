import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { valueAt } from '../json/value-at.ts'

/** JSON text of values, by call id and path. */
export type PathValues = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Longer values are truncated. A cell shows less than this. */
const MAX_VALUE_CHARACTERS = 500

/** Reads the values at paths in the JSON documents of calls. */
export async function readPathValues(
  project: Project,
  ids: readonly string[],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<PathValues> {
  const documents = [...new Set(paths.map((path) => path.split('.')[0] ?? ''))]
  const { calls } = await api.call(
    'project_calls',
    { ...projectParams(project), filter: { call_ids: [...ids] }, columns: documents, limit: ids.length },
    signal,
  )
  return new Map(
    calls.map((call) => {
      const texts: Readonly<Record<string, string | undefined>> = {
        inputs: call.inputs.text,
        output: call.output?.text,
        attributes: call.attributes.text,
        summary: call.summary?.text,
      }
      const values = paths.flatMap((path): [string, string][] => {
        const [root = '', ...steps] = splitPath(path)
        const value = valueAt(texts[root] ?? 'null', steps)
        return value === undefined ? [] : [[path, value.slice(0, MAX_VALUE_CHARACTERS)]]
      })
      return [call.id, new Map(values)] as const
    }),
  )
}

/** Splits `a.b\.c` into `a` and `b.c`. */
function splitPath(path: string): string[] {
  return (path.match(/(?:\\.|[^.\\])+/g) ?? []).map((step) => step.replaceAll(/\\(.)/g, '$1'))
}
