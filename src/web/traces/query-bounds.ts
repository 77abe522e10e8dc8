import { JsonText } from '../../client/browser/json-text.ts'
import { boundsOf, type TimeRange } from '../time/range.ts'

/** A time as conditions of a query, for requests that have no bounds of their own. */
export function rangeConditions(range: TimeRange, nowMs: number): readonly object[] {
  const { after, before } = boundsOf(range, nowMs)
  return [
    ...(after === undefined ? [] : [{ $gte: [{ $getField: 'started_at' }, { $literal: after }] }]),
    ...(before === undefined ? [] : [{ $lt: [{ $getField: 'started_at' }, { $literal: before }] }]),
  ]
}

/** A query with further conditions, which must hold too. */
export function withBounds(query: JsonText | undefined, bounds: readonly object[]): JsonText | undefined {
  if (bounds.length === 0) return query
  const inner = query === undefined ? [] : [new JsonText(query.text.slice('{"$expr":'.length, -1))]
  const conditions = [...inner, ...bounds]
  return JsonText.of({ $expr: conditions.length === 1 ? conditions[0] : { $and: conditions } })
}
