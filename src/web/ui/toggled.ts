/** The set with one member added or, if it was there, removed. */
export function toggled<Value>(values: Iterable<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(values)
  if (!next.delete(value)) next.add(value)
  return next
}
