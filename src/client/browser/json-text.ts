/**
 * A JSON value kept as its original text, so that `1.0` stays `1.0` and big integers are exact. It is the browser's
 * counterpart of `RawJson`.
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

/** `JSON.stringify`, but writes `JsonText` unchanged. */
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
