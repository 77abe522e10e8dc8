import { RawJson } from '../../contract/raw-json.ts'

/** `JSON.stringify`, except that `RawJson` is written as the bytes it holds. */
export function writeJson(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (typeof value === 'object' && value !== null) return writeObject(value)
  if (typeof value === 'bigint') return value.toString()
  return JSON.stringify(value) ?? 'null'
}

function writeObject(object: object): string {
  const members: string[] = []
  for (const [key, member] of Object.entries(object)) {
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${writeJson(member)}`)
  }
  return `{${members.join(',')}}`
}
