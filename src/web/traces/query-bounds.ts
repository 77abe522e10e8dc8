import { JsonText } from '../../client/browser/json-text.ts'
import { rangeBounds, type TimeRange } from '../time/range.ts'

/** A time range as query conditions, for requests without time parameters. */
export function rangeConditions(range: TimeRange, nowMs: number): readonly object[] {
  const { after, before } = rangeBounds(range, nowMs)
  return [
    ...(after === undefined ? [] : [{ $gte: [{ $getField: 'started_at' }, { $literal: after }] }]),
    ...(before === undefined ? [] : [{ $lt: [{ $getField: 'started_at' }, { $literal: before }] }]),
  ]
}

/** Adds conditions to a query with `$and`. */
export function withConditions(query: JsonText | undefined, extra: readonly object[]): JsonText | undefined {
  if (extra.length === 0) return query
  const inner = query === undefined ? [] : [new JsonText(query.text.slice('{"$expr":'.length, -1))]
  const conditions = [...inner, ...extra]
  return JsonText.of({ $expr: conditions.length === 1 ? conditions[0] : { $and: conditions } })
}
