import {
  CALL_FIELDS,
  COST_FIELDS,
  EVALUATION_FIELDS,
  FEEDBACK_FIELDS,
  type QueryFields,
  SPAN_FIELDS,
} from '../../contract/query.ts'
import { REF_PREFIX } from '../../contract/objects/ref.ts'
import { OPERATORS, QUERY_EXAMPLE } from './query-schema.ts'

/** The parts of the API reference that are not about one operation. Backticks mark code. */
export interface Passage {
  readonly id: string
  readonly title: string
  readonly blocks: readonly Block[]
}

export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'code'; readonly text: string }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }

export const PASSAGES: readonly Passage[] = [
  {
    id: 'rules',
    title: 'Rules',
    blocks: [
      {
        kind: 'list',
        items: [
          'The last acknowledged record of a call wins, whole. A call has a start and an end; a complete record is both. A ' +
            'second, different start (or end) with the same id replaces the first, whatever their times say, and fields of ' +
            'two records are never mixed.',
          'An identical resend changes nothing, so a request without a response can be sent again. A record that is sent ' +
            'again after a different one was acknowledged is the last one, and wins.',
          'Concurrent records of one call converge to exactly one of them, the same on every node.',
          'Deleted ids stay deleted. A later record with the id of a deleted call is accepted and not shown.',
          'The `wb_user_id` of an object or feedback is the caller who sent it; a value in the request is ignored. That of a call ' +
            'is stored as sent, and is the caller if nothing was; `sent_by` is always the caller.',
          'An empty list in a filter means no filter; `[]` and an absent key are the same. Only `thread_ids: []` matches ' +
            'no call. All given keys of a filter must match; a list matches if any of its items does.',
          'Datetimes are ISO 8601 from 1900 to 2299, UTC without an offset, stored to the microsecond.',
          'Lists have no default `limit`, unless stated. `offset` skips results. Orders are total, so pages neither overlap nor leave gaps.',
          'In `sort_by`, `order` and `direction` mean the same; `order` wins if both are set, and the default is `asc`.',
        ],
      },
    ],
  },
  {
    id: 'queries',
    title: 'Queries',
    blocks: [
      {
        kind: 'text',
        text:
          'A field of the type `query` is an object `{"$expr": condition}`. A condition is an operator with its operands; an ' +
          'operand is another condition, a field or a literal.',
      },
      { kind: 'code', text: QUERY_EXAMPLE },
      {
        kind: 'table',
        head: ['operator', 'form', 'meaning'],
        rows: OPERATORS.map(({ name, shape, meaning }) => [`\`${name}\``, `\`${shape}\``, meaning]),
      },
      {
        kind: 'text',
        text:
          '`$expr` itself must be one of `$and`, `$or`, `$not`, `$eq`, `$gt`, `$lt`, `$gte`, `$lte`, `$in` and `$contains`. ' +
          '`$getField` names one of these fields; `.*` stands for a path into a document:',
      },
      {
        kind: 'table',
        head: ['query on', 'fields'],
        rows: [
          ['calls', fieldsText(CALL_FIELDS)],
          ['feedback', fieldsText(FEEDBACK_FIELDS)],
          ['prices', fieldsText(COST_FIELDS)],
          ['results of evaluations', fieldsText(EVALUATION_FIELDS)],
          ['spans', fieldsText(SPAN_FIELDS)],
        ],
      },
    ],
  },
  {
    id: 'refs',
    title: 'Refs',
    blocks: [
      {
        kind: 'text',
        text:
          'A ref is the URI of an item. A path into the value of an object may follow: `/attr/<name>`, `/key/<key>`, ' +
          '`/index/<n>` and `/id/<row digest>`, each percent-encoded.',
      },
      {
        kind: 'table',
        head: ['kind', 'form'],
        rows: [
          ['object', `\`${REF_PREFIX}<entity>/<project>/object/<name>:<digest>\``],
          ['op', `\`${REF_PREFIX}<entity>/<project>/op/<name>:<digest>\``],
          ['call', `\`${REF_PREFIX}<entity>/<project>/call/<id>\``],
          ['table', `\`${REF_PREFIX}<entity>/<project>/table/<digest>\``],
          ['file', `\`${REF_PREFIX}<entity>/<project>/file/<digest>\``],
        ],
      },
    ],
  },
]

function fieldsText({ columns, documents, objects = [], feedback = [] }: QueryFields): string {
  const names = [
    ...columns,
    ...documents.flatMap((name) => [name, `${name}.*`]),
    ...objects.map((name) => `${name}.*`),
    ...feedback.map((name) => `feedback.[<type or *>].${name}${name === 'payload' ? '.*' : ''}`),
  ]
  return names.map((name) => `\`${name}\``).join(', ')
}
