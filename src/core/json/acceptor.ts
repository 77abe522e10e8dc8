import type { z } from 'zod'

/**
 * A fast test whether a schema accepts a value as it is. Zod copies what it validates, field by field, and its copies of
 * thousands of records are a quarter of the garbage of ingest. Nearly all requests are valid and need no copy.
 */
export type Acceptor = (value: unknown) => boolean

/**
 * Derived once from a schema of the contract, so that both cannot disagree. It returns true only if Zod accepts the value
 * with the same value as its result; after false, Zod decides. Undefined for schemas that change values, and for kinds of
 * schemas and checks that are not known here.
 */
export function acceptorOf(schema: z.ZodType): Acceptor | undefined {
  const def = schema._zod.def as unknown as Definition
  const accepts = KINDS[def.type]?.(def)
  const checks = (def.checks ?? []).map(({ _zod }) => CHECKS[_zod.def.check]?.(_zod.def))
  if (accepts === undefined || !checks.every((check) => check !== undefined)) return undefined
  if (checks.length === 0) return accepts
  return (value) => accepts(value) && checks.every((check) => check(value))
}

interface Definition {
  readonly type: string
  readonly check?: string
  readonly checks?: readonly { readonly _zod: { readonly def: CheckDefinition } }[]
  readonly coerce?: boolean
  readonly format?: string
  readonly fn?: (value: unknown) => unknown
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly catchall?: z.ZodType
  readonly element?: z.ZodType
  readonly innerType?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly values?: readonly unknown[]
}

interface CheckDefinition {
  readonly check: string
  readonly format?: string
  readonly pattern?: RegExp
  readonly minimum?: number
  readonly maximum?: number
  readonly value?: number
  readonly inclusive?: boolean
  readonly fn?: (value: unknown) => unknown
}

const KINDS: Readonly<Record<string, (def: Definition) => Acceptor | undefined>> = {
  string: ({ coerce, check }) =>
    coerce === true || check !== undefined ? undefined : (value) => typeof value === 'string',
  number: ({ coerce, check, format }) => {
    if (coerce === true) return undefined
    if (check === undefined) return (value) => Number.isFinite(value)
    return format === 'safeint' ? (value) => Number.isSafeInteger(value) : undefined
  },
  boolean: ({ coerce }) => (coerce === true ? undefined : (value) => typeof value === 'boolean'),
  literal: ({ values = [] }) => {
    const all = new Set(values)
    return (value) => all.has(value)
  },
  custom: ({ fn }) => fn && ((value) => Boolean(fn(value))),
  nullable: ({ innerType }) => either(null, innerType),
  optional: ({ innerType }) => either(undefined, innerType),
  array: ({ element }) => {
    const accepts = element && acceptorOf(element)
    return accepts && ((value) => Array.isArray(value) && value.every((item) => accepts(item)))
  },
  union: ({ options = [] }) => {
    const acceptors = options.map(acceptorOf)
    return acceptors.every((accepts) => accepts !== undefined)
      ? (value) => acceptors.some((accepts) => accepts(value))
      : undefined
  },
  object: ({ shape = {}, catchall }) => (catchall === undefined ? objectAcceptor(shape) : undefined),
}

function either(value: null | undefined, schema: z.ZodType | undefined): Acceptor | undefined {
  const accepts = schema && acceptorOf(schema)
  return accepts && ((other) => other === value || accepts(other))
}

function objectAcceptor(shape: Readonly<Record<string, z.ZodType>>): Acceptor | undefined {
  const names = Object.keys(shape)
  const acceptors = names.map((name) => acceptorOf(shape[name]!))
  if (!acceptors.every((accepts) => accepts !== undefined)) return undefined
  const isKnown = new Set(names)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const object = value as Readonly<Record<string, unknown>>
    for (let i = 0; i < names.length; i++) if (!acceptors[i]!(object[names[i]!])) return false
    // Zod drops other members.
    for (const name in object) if (!isKnown.has(name)) return false
    return true
  }
}

const CHECKS: Readonly<Record<string, (def: CheckDefinition) => Acceptor | undefined>> = {
  min_length:
    ({ minimum = 0 }) =>
    (value) =>
      (value as string | unknown[]).length >= minimum,
  max_length:
    ({ maximum = 0 }) =>
    (value) =>
      (value as string | unknown[]).length <= maximum,
  string_format: ({ format, pattern }) =>
    format === 'regex' && pattern !== undefined && !pattern.global && !pattern.sticky
      ? (value) => pattern.test(value as string)
      : undefined,
  greater_than: ({ value: bound, inclusive }) =>
    typeof bound === 'number'
      ? (value) => (inclusive === true ? (value as number) >= bound : (value as number) > bound)
      : undefined,
  custom: ({ fn }) => fn && ((value) => Boolean(fn(value))),
}
