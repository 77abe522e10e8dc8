import type { Exported } from '../../contract/export/export.ts'
import { formatTime, type Micros, parseTime } from '../time/time.ts'

/**
 * Where an export goes on: the key of the last row that was had, which every row tells of itself. Exports are in the
 * order of these keys, so what comes after one is the rest, whatever happened in between.
 */
export interface KeyPart {
  readonly name: string
  readonly kind: 'time' | 'text' | 'number'
}

export type KeyValue = Micros | string | number
export type ExportCursor = readonly KeyValue[]

/** Only the last part may hold a comma. */
export const EXPORT_KEYS: Readonly<Record<Exported, readonly KeyPart[]>> = {
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

/** Undefined for what is no cursor of such an export. */
export function readExportCursor(what: Exported, cursor: string): ExportCursor | undefined {
  const parts = EXPORT_KEYS[what]
  const texts = cursor.split(',')
  if (texts.length < parts.length) return undefined
  const last = texts.splice(parts.length - 1).join(',')
  const values = [...texts, last].map((each, i) => valueOf(each, parts[i]!))
  return values.every((value) => value !== undefined) ? values : undefined
}

function valueOf(text: string, { kind }: KeyPart): KeyValue | undefined {
  if (kind === 'text') return text
  if (kind === 'time') return parseTime(text)
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined
}

export function writeExportCursor(cursor: ExportCursor): string {
  return cursor.map((value) => (typeof value === 'bigint' ? formatTime(value) : String(value))).join(',')
}
