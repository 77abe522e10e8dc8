import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { valueAt } from '../json/value-at.ts'

/** The JSON of values, by call and path. */
export type Values = ReadonlyMap<string, ReadonlyMap<string, string>>

/** So much of a value is kept: a cell shows less. */
const KEPT_CHARACTERS = 500

/** What stands at these paths in the documents of some calls. */
export async function readPathValues(
  project: Project,
  ids: readonly string[],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Values> {
  const documents = [...new Set(paths.map((path) => path.split('.')[0] ?? ''))]
  const { calls } = await api.call(
    'project_calls',
    { ...inPath(project), filter: { call_ids: [...ids] }, columns: documents, limit: ids.length },
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
        return value === undefined ? [] : [[path, value.slice(0, KEPT_CHARACTERS)]]
      })
      return [call.id, new Map(values)] as const
    }),
  )
}

/** `a.b\.c` is `a` and `b.c`. */
function splitPath(path: string): string[] {
  return (path.match(/(?:\\.|[^.\\])+/g) ?? []).map((step) => step.replaceAll(/\\(.)/g, '$1'))
}
