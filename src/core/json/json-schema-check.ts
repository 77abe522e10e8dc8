import { isObject } from './is-object.ts'

/** Checks that a value is a JSON Schema: what the keywords of draft 2020-12 must be. Unknown keywords may be anything. */

interface Problem {
  readonly loc: readonly (string | number)[]
  readonly msg: string
}

type Check = (value: unknown, isOld: boolean) => Problem | undefined

/** The first problem; undefined for a schema. Drafts before 2020-12, named in `$schema`, have other rules for some keywords. */
export function findSchemaProblem(schema: unknown): Problem | undefined {
  const name = isObject(schema) ? schema['$schema'] : undefined
  return aSchema(schema, typeof name === 'string' && /draft-0\d|2019-09/.test(name))
}

const must =
  (what: string, isValid: (value: unknown) => boolean): Check =>
  (value) =>
    isValid(value) ? undefined : { loc: [], msg: `must be ${what}` }

const aString = must('a string', (value) => typeof value === 'string')
const aFlag = must('true or false', (value) => typeof value === 'boolean')
const aNumber = must('a number', (value) => typeof value === 'number')
const aList = must('a list', Array.isArray)
const aCount = must('an integer of at least 0', (value) => Number.isInteger(value) && Number(value) >= 0)
const aPositiveNumber = must('a number above 0', (value) => typeof value === 'number' && value > 0)
const someStrings = must('a list of different strings', (value) => isDistinct(value, isString))

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
const aType = must(`one of ${TYPES.join(', ')}, or a list of them`, (value) => {
  const isType = (each: unknown): boolean => isString(each) && TYPES.includes(each)
  return isType(value) || (isDistinct(value, isType) && (value as unknown[]).length > 0)
})
const aPattern = must('a regular expression', (value) => isString(value) && isPattern(value))

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isDistinct(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem) && new Set(value).size === value.length
}

/** Heddle executes no pattern. Groups that only Python has, such as `(?P<name>…)`, count as valid. */
function isPattern(pattern: string): boolean {
  if (/\(\?(?![:=!<])/.test(pattern)) return true
  try {
    return new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}

const aSchema: Check = (value, isOld) => {
  if (typeof value === 'boolean') return undefined
  if (!isObject(value)) return { loc: [], msg: 'must be an object, true or false' }
  for (const [keyword, member] of Object.entries(value)) {
    const problem = KEYWORDS.get(keyword)?.(member, isOld)
    if (problem !== undefined) return { loc: [keyword, ...problem.loc], msg: problem.msg }
  }
  return undefined
}

const someSchemas: Check = (value, isOld) => {
  if (!Array.isArray(value) || value.length === 0)
    return { loc: [], msg: 'must be a list of schemas, not empty' }
  return firstProblem([...value.entries()], aSchema, isOld)
}

const mapOf =
  (check: Check, key?: Check): Check =>
  (value, isOld) => {
    if (!isObject(value)) return { loc: [], msg: 'must be an object' }
    const keys = Object.keys(value).map((each): [string, unknown] => [each, each])
    return (key && firstProblem(keys, key, isOld)) ?? firstProblem(Object.entries(value), check, isOld)
  }

function firstProblem(
  parts: readonly (readonly [string | number, unknown])[],
  check: Check,
  isOld: boolean,
): Problem | undefined {
  for (const [key, part] of parts) {
    const problem = check(part, isOld)
    if (problem !== undefined) return { loc: [key, ...problem.loc], msg: problem.msg }
  }
  return undefined
}

const either =
  (old: Check, check: Check): Check =>
  (value, isOld) =>
    isOld && old(value, isOld) === undefined ? undefined : check(value, isOld)

const KEYWORDS: ReadonlyMap<string, Check> = new Map(
  (
    [
      ['type', aType],
      ['enum', aList],
      ['examples', aList],
      ['multipleOf', aPositiveNumber],
      ['maximum minimum', aNumber],
      ['exclusiveMaximum exclusiveMinimum', either(aFlag, aNumber)],
      ['maxLength minLength maxItems minItems maxProperties minProperties maxContains minContains', aCount],
      ['uniqueItems deprecated readOnly writeOnly', aFlag],
      ['title description format contentEncoding contentMediaType', aString],
      ['$comment $ref $id $schema $anchor $dynamicRef $dynamicAnchor', aString],
      ['pattern', aPattern],
      ['required', either(aFlag, someStrings)],
      ['items', either(someSchemas, aSchema)],
      ['prefixItems allOf anyOf oneOf', someSchemas],
      ['additionalProperties unevaluatedProperties propertyNames', aSchema],
      ['unevaluatedItems contains not if then else contentSchema', aSchema],
      ['properties $defs definitions dependentSchemas', mapOf(aSchema)],
      ['patternProperties', mapOf(aSchema, aPattern)],
      ['dependentRequired', mapOf(someStrings)],
    ] as const
  ).flatMap(([names, check]) => names.split(' ').map((name): [string, Check] => [name, check])),
)
