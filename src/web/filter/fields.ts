import {
  CALL_COLUMN_NAMES,
  NAMED_FIELDS,
  type NamedField,
  SCORE_FIELDS,
} from '../../client/browser/call-fields.ts'

/** The fields of calls that filters know by name. */
export const KNOWN_FIELDS: readonly NamedField[] = NAMED_FIELDS

const fieldsByName = new Map(KNOWN_FIELDS.map((field) => [field.name, field]))
const fieldsByPath = new Map(KNOWN_FIELDS.flatMap((field) => (field.path ? [[field.path, field]] : [])))

export function fieldPath(name: string): string {
  return fieldsByName.get(name)?.path ?? name
}

export function fieldName(path: string): string {
  return fieldsByPath.get(path)?.name ?? path
}

export function findField(name: string): NamedField | undefined {
  return fieldsByName.get(name) ?? fieldsByPath.get(name)
}

/** Resolves an alternative spelling of a value, such as `failed` for `error`. */
export function canonicalValue(field: string, text: string): string {
  const aliases = findField(field)?.aliases ?? {}
  return Object.hasOwn(aliases, text) ? aliases[text]! : text
}

const DOCUMENT_PATH = /^(?:inputs|output|attributes|summary|otel_dump)(?:\.|$)/
const FEEDBACK_PATH = /^feedback\.\[.+\]\.(?:payload(?:\.|$)|runnable_ref$|trigger_ref$)/s
const COLUMNS: ReadonlySet<string> = new Set(CALL_COLUMN_NAMES)

/** Whether the path is in a JSON document of the call, where `exists` needs its own query operator. */
export function isInDocument(path: string): boolean {
  return DOCUMENT_PATH.test(path) && !fieldsByPath.has(path)
}

/** `scores.<name>`, with a path into the value of the score if it is an object. */
export function isScore(path: string): boolean {
  return path.startsWith(`${SCORE_FIELDS}.`) && path.length > SCORE_FIELDS.length + 1
}

/** Whether the server knows the field. */
export function isField(name: string): boolean {
  return (
    findField(name) !== undefined ||
    DOCUMENT_PATH.test(name) ||
    FEEDBACK_PATH.test(name) ||
    isScore(name) ||
    COLUMNS.has(name)
  )
}
