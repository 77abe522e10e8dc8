/** A streaming CSV parser (RFC 4180: quotes, doubled quotes, line breaks within quotes). */
export function* csvRecords(text: string, separator: string): Generator<string[]> {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    const record: string[] = []
    for (;;) {
      if (text[at] === '"') {
        const [field, end] = readQuotedField(text, at)
        // Text between the closing quote and the separator belongs to the field, as in spreadsheets.
        const stop = fieldEnd(text, end, separator)
        record.push(field + text.slice(end, stop))
        at = stop
      } else {
        const stop = fieldEnd(text, at, separator)
        record.push(text.slice(at, stop))
        at = stop
      }
      if (text[at] !== separator) break
      at++
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 2
    else at++
    // Empty lines are skipped.
    if (record.length > 1 || record[0] !== '') yield record
  }
}

function fieldEnd(text: string, from: number, separator: string): number {
  let at = from
  for (; at < text.length; at++) {
    const c = text[at]
    if (c === separator || c === '\n' || c === '\r') break
  }
  return at
}

/** The text of a quoted field and its end. An unclosed field extends to the end of the file. */
function readQuotedField(text: string, at: number): [string, number] {
  let field = ''
  let from = at + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return [field + text.slice(from), text.length]
    field += text.slice(from, quote)
    if (text[quote + 1] !== '"') return [field, quote + 1]
    field += '"'
    from = quote + 2
  }
}

/** The separator: the comma, semicolon or tab that is most frequent in the first line. */
export function detectSeparator(text: string): string {
  const line = text.slice(0, 10_000).split('\n', 1)[0] ?? ''
  const counts = [',', ';', '\t'].map((each) => [each, line.split(each).length] as const)
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0]
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** How the fields of a column are parsed: as strings or as JSON. */
export type ColumnKind = 'text' | 'json'

function isJsonScalar(field: string): boolean {
  return NUMBER.test(field) || field === 'true' || field === 'false' || field === 'null'
}

/** A field as JSON text. In a JSON column an empty field is null, and invalid JSON becomes a string. */
export function fieldJson(field: string, kind: ColumnKind): string {
  if (kind === 'text') return JSON.stringify(field)
  const trimmed = field.trim()
  if (trimmed === '') return 'null'
  if (isJsonScalar(trimmed)) return trimmed
  try {
    JSON.parse(trimmed)
    return trimmed
  } catch {
    return JSON.stringify(field)
  }
}

/** `json` if all fields of the column are numbers, `true`, `false`, `null` or empty. `007` is not a JSON number. */
export function detectColumnKind(fields: Iterable<string>): ColumnKind {
  let hasValue = false
  for (const field of fields) {
    if (field === '') continue
    if (!isJsonScalar(field)) return 'text'
    hasValue = true
  }
  return hasValue ? 'json' : 'text'
}

/** Unique column names: empty and repeated names get a number. */
export function columnNames(header: readonly string[]): string[] {
  const names: string[] = []
  for (const [i, field] of header.entries()) {
    const baseName = field.trim() === '' ? `column ${i + 1}` : field.trim()
    let name = baseName
    for (let n = 2; names.includes(name); n++) name = `${baseName} ${n}`
    names.push(name)
  }
  return names
}

/** Converts a record to a row. Fields beyond the header are dropped, missing fields omitted. */
export function recordToRow(
  names: readonly string[],
  record: readonly string[],
  kinds: ReadonlyMap<string, ColumnKind>,
): string {
  const members = names.flatMap((name, i) => {
    const field = record[i]
    return field === undefined
      ? []
      : [`${JSON.stringify(name)}: ${fieldJson(field, kinds.get(name) ?? 'text')}`]
  })
  return `{${members.join(', ')}}`
}
