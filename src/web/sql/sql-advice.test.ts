import { expect, test } from 'vitest'
import { sqlAdvice } from './sql-advice.ts'

// What the engine says, word for word.
test.each([
  ['Unknown expression identifier `foo` in scope SELECT foo FROM calls.', /^No column has that name/],
  ["Unknown table expression identifier 'nope' in scope SELECT 1 FROM nope.", /^The views are/],
  ['Syntax error: failed at position 1', /^The engine could not read it/],
  [
    "Column 'sql_heddle.calls.name' is not under aggregate function and not in GROUP BY keys. In query SELECT name, count() FROM calls.",
    /GROUP BY/,
  ],
  [
    'Illegal types String and String of arguments of function plus: In scope SELECT id',
    /^The types do not fit/,
  ],
  ['Function with name `nofunc` does not exist. In scope SELECT nofunc(1).', /no function of that name/],
  [
    "heddle_sql: Not enough privileges. To execute this query, it's necessary to have the grant",
    /^SQL reads/,
  ],
])('%s', (message, advice) => {
  expect(sqlAdvice(message)).toMatch(advice)
})

test('what nobody has thought of is left to its own words', () => {
  expect(sqlAdvice('Division by zero')).toBeUndefined()
})
