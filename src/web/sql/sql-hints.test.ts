import { expect, test } from 'vitest'
import { sqlHint } from './sql-hints.ts'

// Original messages of ClickHouse.
test.each([
  ['Unknown expression identifier `foo` in scope SELECT foo FROM calls.', /^No column has that name/],
  ["Unknown table expression identifier 'nope' in scope SELECT 1 FROM nope.", /^The views are/],
  ['Syntax error: failed at position 1', /^The query has a syntax error/],
  [
    "Column 'sql_heddle.calls.name' is not under aggregate function and not in GROUP BY keys. In query SELECT name, count() FROM calls.",
    /GROUP BY/,
  ],
  [
    'Illegal types String and String of arguments of function plus: In scope SELECT id',
    /^The types do not match/,
  ],
  ['Function with name `nofunc` does not exist. In scope SELECT nofunc(1).', /no function with this name/],
  [
    "heddle_sql: Not enough privileges. To execute this query, it's necessary to have the grant",
    /^SQL can read only/,
  ],
])('%s', (message, hint) => {
  expect(sqlHint(message)).toMatch(hint)
})

test('other errors have no hint', () => {
  expect(sqlHint('Division by zero')).toBeUndefined()
})
