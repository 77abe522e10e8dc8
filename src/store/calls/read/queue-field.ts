import type { Field } from '../../query/field.ts'
import { from } from '../../query/scope.ts'
import { sql } from '../../query/sql.ts'

/**
 * `annotation_queue_items.queue_id`: the review queues that a call is in, in queries on calls. Any of them may match.
 * Sorting uses the first.
 */
export function queueOfCall(project_id: string): Field {
  // The items of a deleted queue stay in the table.
  const items = sql`${from(project_id, 'queue_items')} AND queue_id IN (SELECT queues.id ${from(project_id, 'queues')})`
  const first = sql`SELECT call_id, min(queue_id) AS first_id ${items} GROUP BY call_id ORDER BY call_id`
  const ids = sql`(SELECT groupArray(call_id) FROM (${first}))`
  const queue_ids = sql`(SELECT groupArray(first_id) FROM (${first}))`
  return {
    kind: 'many',
    each: { kind: 'column', type: 'text', sql: sql`queue_id`, unset: 'never' },
    one: { kind: 'column', type: 'text', sql: sql`transform(id, ${ids}, ${queue_ids}, '')`, unset: 'empty' },
    matches: (condition) => sql`(id IN (SELECT call_id ${items} AND ${condition}))`,
  }
}
