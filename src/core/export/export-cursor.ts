import type { ExportKind } from '../../contract/export/export.ts'
import { formatTime, type Micros, parseStorableTime } from '../time/time.ts'

/**
 * The cursor of an export: the sort key of the last row received. Exports are sorted by these keys, so an export can
 * resume after any row, even if data changed in between.
 */
export interface KeyPart {
  readonly name: string
  readonly kind: 'time' | 'text' | 'number'
}

export type KeyValue = Micros | string | number
export type ExportCursor = readonly KeyValue[]

/** Only the last part may contain a comma. */
export const EXPORT_KEYS: Readonly<Record<ExportKind, readonly KeyPart[]>> = {
  calls: [time('started_at'), text('id')],
  feedback: [time('created_at'), text('id')],
  objects: [time('created_at'), text('object_id'), text('digest')],
  tables: [text('digest'), number('original_index')],
  files: [text('digest'), number('chunk')],
}

function time(name: string): KeyPart {
  return { name, kind: 'time' }
}

function text(name: string): KeyPart {
  return { name, kind: 'text' }
}

function number(name: string): KeyPart {
  return { name, kind: 'number' }
}

/** Returns undefined for text that is not a cursor of this kind of export. */
export function readExportCursor(kind: ExportKind, cursor: string): ExportCursor | undefined {
  const parts = EXPORT_KEYS[kind]
  const texts = cursor.split(',')
  if (texts.length < parts.length) return undefined
  const last = texts.splice(parts.length - 1).join(',')
  const values = [...texts, last].map((each, i) => parseKeyValue(each, parts[i]!))
  return values.every((value) => value !== undefined) ? values : undefined
}

function parseKeyValue(text: string, { kind }: KeyPart): KeyValue | undefined {
  if (kind === 'text') return text
  if (kind === 'time') return parseStorableTime(text)
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined
}

export function writeExportCursor(cursor: ExportCursor): string {
  return cursor.map((value) => (typeof value === 'bigint' ? formatTime(value) : String(value))).join(',')
}
