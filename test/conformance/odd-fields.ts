/** Names of fields that are none; some try to become SQL. */
export const ODD_FIELDS = [
  "x' OR 1=1 --",
  'x`) OR (1=1',
  'id) UNION ALL SELECT 1 --',
  "a' AND throwIf(1) AND '1",
  "x\\'y",
  'x\u0000y',
  '{p0:String}',
  '(SELECT 1)',
  'x::Int64',
  'x\\',
  '*',
  '',
  '.',
  'a..b',
  '日本',
  `${'a.'.repeat(150)}b`,
]

/** For the name of a row. */
export function shown(field: string): string {
  return JSON.stringify(field).slice(0, 40)
}
