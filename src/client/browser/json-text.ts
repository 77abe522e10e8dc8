/**
 * A JSON value kept as the text that was sent, so that `1.0` stays `1.0` and big integers survive: in a browser what
 * `RawJson` is in the server.
 */
export class JsonText {
  readonly text: string

  /** The text must be one valid JSON value. */
  constructor(text: string) {
    this.text = text
  }

  static of(value: unknown): JsonText {
    return new JsonText(writeJsonText(value))
  }
}

/** `JSON.stringify`, except that `JsonText` is written as it is. */
export function writeJsonText(value: unknown): string {
  if (value instanceof JsonText) return value.text
  if (Array.isArray(value)) return `[${value.map(writeJsonText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members: string[] = []
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${writeJsonText(member)}`)
  }
  return `{${members.join(',')}}`
}
