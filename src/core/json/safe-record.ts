/**
 * Builds a record from keys that clients chose. It has no prototype, so that a key such as `__proto__` is an ordinary
 * member.
 */
export function safeRecord<Value>(members: Iterable<readonly [string, Value]>): Record<string, Value> {
  const record = Object.create(null) as Record<string, Value>
  for (const [key, value] of members) record[key] = value
  return record
}
