/** A hint on how to fix a ClickHouse error; `undefined` if there is none for it. */
export function sqlHint(message: string): string | undefined {
  return HINTS.find(({ pattern }) => pattern.test(message))?.hint
}

const HINTS: readonly { readonly pattern: RegExp; readonly hint: string }[] = [
  {
    pattern: /unknown (?:expression )?identifier|missing columns|cannot be resolved/i,
    hint: 'No column has that name. The panel on the right lists the columns of each view; click one to insert it.',
  },
  {
    pattern: /unknown table|table .* does not exist|unknown database/i,
    hint: 'The views are calls, usage, feedback, objects and table_rows.',
  },
  {
    pattern: /syntax error/i,
    hint: 'The query has a syntax error at this position. Use ClickHouse SQL, one SELECT per query.',
  },
  {
    pattern: /not under aggregate|NOT_AN_AGGREGATE|not in GROUP BY/i,
    hint: 'Each selected column must be in GROUP BY or inside an aggregate function such as any() or count().',
  },
  {
    pattern: /illegal type|no supertype|type mismatch|cannot convert/i,
    hint: 'The types do not match. Convert one of them, for example with toFloat64(x) or toString(x).',
  },
  {
    pattern: /memory/i,
    hint: 'The query exceeds the memory limit. Narrow the time range with started_at, or select fewer columns.',
  },
  {
    pattern: /too many rows|rows to read|max_rows_to_read/i,
    hint: 'The query would read too many rows. Add a condition on started_at.',
  },
  {
    pattern: /timeout|took too long|time limit/i,
    hint: 'Queries time out after 30 seconds. Add a condition on started_at to make the query faster.',
  },
  {
    pattern: /not allowed|may not|access|privileges|readonly|read-only/i,
    hint: 'SQL can read only the views of this project. Other tables, settings and writes are not allowed.',
  },
  {
    pattern: /unknown function|function with name .* does not exist/i,
    hint: 'ClickHouse has no function with this name. Its error often suggests a similar one.',
  },
]
