import { expect, test } from 'vitest'
import { findSchemaProblem } from './json-schema-check.ts'

test('keywords of a JSON Schema are checked at every depth', () => {
  const problem = (schema: unknown): string | undefined => {
    const found = findSchemaProblem(schema)
    return found && `${found.loc.join('.')}: ${found.msg}`
  }
  const draft7 = 'http://json-schema.org/draft-07/schema#'
  for (const schema of [
    {},
    { type: ['string', 'null'], enum: ['a', 1], minLength: 1.0, pattern: '(?P<a>x)', other: {} },
    { type: 'object', properties: { a: { items: { anyOf: [true, { const: 1 }] } } }, required: ['a'] },
    { $schema: draft7, items: [{ type: 'string' }] },
  ])
    expect(problem(schema)).toBeUndefined()
  for (const [schema, message] of [
    [null, ': must be an object'],
    [{ type: 'nosuchtype' }, 'type: must be one of array'],
    [{ type: [] }, 'type: must be one of'],
    [{ minimum: '1' }, 'minimum: must be a number'],
    [{ maxLength: -1 }, 'maxLength: must be an integer of at least 0'],
    [{ enum: 'a' }, 'enum: must be a list'],
    [{ required: ['a', 'a'] }, 'required: must be a list of different strings'],
    [{ pattern: '(' }, 'pattern: must be a regular expression'],
    [{ items: [{ type: 'string' }] }, 'items: must be an object, true or false'],
    [{ anyOf: [] }, 'anyOf: must be a list of schemas, not empty'],
    [{ properties: { a: { oneOf: [{ type: 'x' }] } } }, 'properties.a.oneOf.0.type: must be'],
    [{ patternProperties: { '(': {} } }, 'patternProperties.(: must be a regular expression'],
  ] as const)
    expect(problem(schema)).toContain(message)
})
