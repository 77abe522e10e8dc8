import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { isInDocument } from '../filter/fields.ts'
import { valueAt } from '../json/value-at.ts'

/** JSON text of values, by call id and path. */
export type PathValues = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Longer values are truncated. A cell shows less than this. */
const MAX_VALUE_CHARACTERS = 500

/** Reads the values at paths in the JSON documents of calls, and of fields that the server computes. */
export async function readPathValues(
  project: Project,
  ids: readonly string[],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<PathValues> {
  const fields = paths.filter((path) => !isInDocument(path))
  const documentPaths = paths.filter(isInDocument)
  const documents = [...new Set(documentPaths.map((path) => path.split('.')[0] ?? ''))]
  const { calls } = await api.call(
    'project_calls',
    {
      ...projectParams(project),
      filter: { call_ids: [...ids] },
      columns: ['id', ...documents],
      fields,
      limit: ids.length,
    },
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
      const values = documentPaths.flatMap((path): [string, string][] => {
        const [root = '', ...steps] = splitPath(path)
        const value = valueAt(texts[root] ?? 'null', steps)
        return value === undefined ? [] : [[path, value.slice(0, MAX_VALUE_CHARACTERS)]]
      })
      const fieldTexts = Object.entries(call.fields ?? {}).flatMap(([name, text]): [string, string][] =>
        text === null ? [] : [[name, JSON.stringify(text)]],
      )
      return [call.id, new Map([...values, ...fieldTexts])] as const
    }),
  )
}

/** Splits `a.b\.c` into `a` and `b.c`. */
function splitPath(path: string): string[] {
  return (path.match(/(?:\\.|[^.\\])+/g) ?? []).map((step) => step.replaceAll(/\\(.)/g, '$1'))
}
