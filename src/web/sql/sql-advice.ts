/** What to do about what the engine said; undefined where its own words have to do. */
export function sqlAdvice(message: string): string | undefined {
  return ADVICE.find(({ says }) => says.test(message))?.advice
}

const ADVICE: readonly { readonly says: RegExp; readonly advice: string }[] = [
  {
    says: /unknown (?:expression )?identifier|missing columns|cannot be resolved/i,
    advice:
      'No column has that name. The columns of each view are listed at the right; click one to write it.',
  },
  {
    says: /unknown table|table .* does not exist|unknown database/i,
    advice: 'The views are calls, usage, feedback, objects and table_rows.',
  },
  {
    says: /syntax error/i,
    advice:
      'The engine could not read it from there on. It speaks the SQL of ClickHouse, one SELECT at a time.',
  },
  {
    says: /not under aggregate|NOT_AN_AGGREGATE|not in GROUP BY/i,
    advice:
      'Each column that is answered must stand in GROUP BY or within a function such as any() or count().',
  },
  {
    says: /illegal type|no supertype|type mismatch|cannot convert/i,
    advice: 'The types do not fit. Convert one of them, as in toFloat64(x) or toString(x).',
  },
  {
    says: /memory/i,
    advice:
      'It needs more memory than one query may have. Narrow the time (started_at), or answer fewer columns.',
  },
  {
    says: /too many rows|rows to read|max_rows_to_read/i,
    advice: 'It would read too much. A condition on started_at is what makes a query fast.',
  },
  {
    says: /timeout|took too long|time limit/i,
    advice: 'A query may take 30 seconds. A condition on started_at is what makes it fast.',
  },
  {
    says: /not allowed|may not|access|privileges|readonly|read-only/i,
    advice:
      'SQL reads the views of this project and nothing else: no other tables, no settings, nothing that writes.',
  },
  {
    says: /unknown function|function with name .* does not exist/i,
    advice: 'ClickHouse has no function of that name; it often suggests one that is meant.',
  },
]
