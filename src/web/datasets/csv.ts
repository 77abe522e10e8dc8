/** The records of a CSV file (RFC 4180: quotes, doubled quotes, ends of lines within quotes), one at a time. */
export function* csvRecords(text: string, separator: string): Generator<string[]> {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    const record: string[] = []
    for (;;) {
      if (text[at] === '"') {
        const [field, end] = quoted(text, at)
        // Anything between the closing quote and the separator belongs to the field, as spreadsheets have it.
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
    // An empty line is no record.
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

/** The text of a quoted field and where it ends; one that is never closed reaches to the end of the file. */
function quoted(text: string, at: number): [string, number] {
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

/** What stands between the fields: whichever of the usual ones the first line has most of. */
export function separatorOf(text: string): string {
  const line = text.slice(0, 10_000).split('\n', 1)[0] ?? ''
  const counts = [',', ';', '\t'].map((each) => [each, line.split(each).length] as const)
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0]
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** How the fields of a column are read: as texts, or as the JSON that they spell. */
export type ColumnKind = 'text' | 'json'

function isJsonScalar(field: string): boolean {
  return NUMBER.test(field) || field === 'true' || field === 'false' || field === 'null'
}

/** As the JSON that it spells if it spells some, else as text. An empty field of a JSON column is null. */
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

/** A column whose fields are all numbers, `true`, `false` or empty is read as JSON. `007` is none of these. */
export function guessKind(fields: Iterable<string>): ColumnKind {
  let isAny = false
  for (const field of fields) {
    if (field === '') continue
    if (!isJsonScalar(field)) return 'text'
    isAny = true
  }
  return isAny ? 'json' : 'text'
}

/** Names of the columns: empty ones and repeated ones get a number, so that none is lost. */
export function columnNames(header: readonly string[]): string[] {
  const names: string[] = []
  for (const [i, field] of header.entries()) {
    const wanted = field.trim() === '' ? `column ${i + 1}` : field.trim()
    let name = wanted
    for (let n = 2; names.includes(name); n++) name = `${wanted} ${n}`
    names.push(name)
  }
  return names
}

/** A record as a row; fields beyond the names are dropped, missing ones left out. */
export function recordRow(
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
