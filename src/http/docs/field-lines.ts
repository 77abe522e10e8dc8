import {
  componentName,
  type DescribedOperations,
  type JsonSchema,
  resolveSchema,
} from './operation-schemas.ts'

/** The fields of a schema as rows of a table. */
export interface FieldLine {
  /** Dotted path; `[]` stands for array items. */
  readonly path: string
  readonly type: string
  readonly required: boolean
  readonly note: string
}

/** One alternative of a schema; `when` is the value of the field that selects it, such as `mode` and `"end"`. */
interface Variant {
  readonly schema: JsonSchema
  readonly when: Condition | undefined
}

interface Condition {
  readonly name: string
  readonly value: string
}

const MAX_NESTING = 6

/** Lists every field of a schema; nested fields follow their parent. */
export function fieldLines(schema: JsonSchema, described: DescribedOperations): FieldLine[] {
  return new FieldReader(described).lines([{ schema, when: undefined }], '', 0)
}

class FieldReader {
  readonly #described: DescribedOperations

  constructor(described: DescribedOperations) {
    this.#described = described
  }

  lines(schemas: readonly Variant[], prefix: string, depth: number): FieldLine[] {
    if (depth > MAX_NESTING) return []
    const objects = schemas
      .flatMap((variant) => this.#variants(variant))
      .filter(({ schema }) => schema.properties !== undefined)
    const names = new Set(objects.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))
    return [...names].flatMap((name) => {
      const holders = objects.filter(({ schema }) => schema.properties?.[name] !== undefined)
      const fields = holders.map(({ schema, when }) => ({ schema: schema.properties![name]!, when }))
      const path = prefix + name
      const line = {
        path,
        type: this.#typeText(fields),
        required: holders.every(({ schema }) => schema.required?.includes(name) ?? false),
        note: noteText(fields, holders.length < objects.length ? holders : []),
      }
      const items = fields
        .flatMap((field) => this.#variants(field))
        .flatMap(({ schema, when }) => (schema.items === undefined ? [] : [{ schema: schema.items, when }]))
      return [
        line,
        ...this.lines(fields, `${path}.`, depth + 1),
        ...this.lines(items, `${path}[].`, depth + 1),
      ]
    })
  }

  /** The alternatives of a schema. Queries are described in a section of their own. */
  #variants({ schema, when }: Variant): Variant[] {
    if (isQuery(schema)) return [{ schema: QUERY, when }]
    const resolved = resolveSchema(schema, this.#described)
    // Beside a type, alternatives are rules between its fields or values.
    const several = resolved.type === undefined ? (resolved.anyOf ?? resolved.oneOf) : undefined
    if (several === undefined) return [{ schema: resolved, when }]
    const name = discriminator(several)
    return several.flatMap((alternative) => {
      const value = name === undefined ? undefined : alternative.properties?.[name]?.const
      const condition = name === undefined ? undefined : { name, value: JSON.stringify(value) }
      return this.#variants({ schema: alternative, when: condition ?? when })
    })
  }

  #typeText(fields: readonly Variant[]): string {
    const types = fields.flatMap((field) => this.#variants(field)).map(({ schema }) => this.#typeName(schema))
    return [...new Set(types)].join(' or ')
  }

  #typeName(schema: JsonSchema): string {
    if (schema === QUERY) return 'query'
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
    if (schema.format === 'date-time') return 'datetime'
    if (schema.format === 'binary') return 'bytes'
    if (schema.pattern?.startsWith('^weave:') ?? false) return refText(schema.pattern)
    if (schema.type === 'array')
      return `array of ${schema.items === undefined ? 'any' : this.#typeText([{ schema: schema.items, when: undefined }])}`
    return [schema.type ?? 'any'].flat().join(' or ')
  }
}

/** `call, object or op ref`. */
function refText(pattern = ''): string {
  const kinds = ['call', 'object', 'op'].filter((kind) => new RegExp(`\\b${kind}\\W`).test(pattern))
  return `${kinds.join(', ').replace(/, (?=[^,]*$)/, ' or ')} ref`
}

const QUERY: JsonSchema = { type: 'object' }

function isQuery(schema: JsonSchema): boolean {
  return componentName(schema)?.endsWith('Query') ?? false
}

/** The property that tells alternatives apart: each has another constant. */
function discriminator(alternatives: readonly JsonSchema[]): string | undefined {
  const [first, ...others] = alternatives
  return Object.keys(first?.properties ?? {}).find((name) =>
    [first, ...others].every((alternative) => alternative?.properties?.[name]?.const !== undefined),
  )
}

/** `holders` are the alternatives that have the field, if not all have it. */
function noteText(fields: readonly Variant[], holders: readonly Variant[]): string {
  const conditions = holders.flatMap(({ when }) => (when === undefined ? [] : [when]))
  const values = [...new Set(conditions.map(({ value }) => value))].join(', ')
  const notes = [
    ...fields.map(({ schema }) => descriptionOf(schema)),
    values === '' ? '' : `Only with ${conditions[0]?.name} ${values}.`,
    ...fields.flatMap(({ schema }) => boundsText(schema)),
  ]
  return [...new Set(notes)].filter((note) => note !== '').join(' ')
}

function descriptionOf({ description, anyOf }: JsonSchema): string {
  return description ?? anyOf?.map(descriptionOf).find((text) => text !== '') ?? ''
}

/** The bounds of a value in words. */
function boundsText(schema: JsonSchema): string[] {
  if (schema.anyOf !== undefined) return schema.type === undefined ? schema.anyOf.flatMap(boundsText) : []
  const { minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems } = schema
  const texts: string[] = []
  const isBound = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  if (isBound(minimum) && isBound(maximum)) texts.push(`${count(minimum)} to ${count(maximum)}.`)
  else if (isBound(minimum)) texts.push(`At least ${count(minimum)}.`)
  else if (isBound(maximum)) texts.push(`At most ${count(maximum)}.`)
  if (maxLength !== undefined) texts.push(`${atMost(minLength, maxLength)} characters.`)
  else if (minLength > 0) texts.push('Not empty.')
  if (maxItems !== undefined) texts.push(`${atMost(minItems, maxItems)} items.`)
  else if (minItems > 0) texts.push('Not empty.')
  return texts
}

function atMost(minimum: number, maximum: number): string {
  return minimum === 0 ? `At most ${count(maximum)}` : `${count(minimum)} to ${count(maximum)}`
}

function count(n: number): string {
  return n.toLocaleString('en-US')
}
