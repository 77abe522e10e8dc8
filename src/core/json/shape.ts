import type { z } from 'zod'
import { isRawSchema } from '../../contract/raw-json.ts'
import { MAX_ITEMS, MAX_ROWS } from '../../contract/limits.ts'
import {
  REFUSE_UNKNOWN_KEYS,
  type UnknownKeyPolicy,
  type UnknownKeyRule,
} from '../../contract/unknown-keys.ts'

/**
 * The shape of a request: where the reader builds values and where it keeps bytes. Derived once from a schema of
 * the contract, so that schema and reader cannot disagree.
 */
export type Shape =
  /** `nullable`: a JSON null is read as null, so that `.nullish()` of the schema applies. */
  | { readonly kind: 'raw'; readonly nullable: boolean }
  /** A string, a number, true, false or null. Containers are not built: the schema rejects them anyway. */
  | { readonly kind: 'scalar' }
  /** Small values without numbers that must stay exact; read with `JSON.parse`. */
  | { readonly kind: 'value' }
  | ObjectShape
  /** Client-chosen keys, read into a null-prototype object. */
  | { readonly kind: 'record'; readonly value: Shape }
  | { readonly kind: 'array'; readonly item: Shape; readonly maxItems: number }

/** Only these keys are read, others are validated and skipped: no key of a client becomes a JS property. */
export interface ObjectShape extends ObjectPosition {
  readonly kind: 'object'
  readonly keys: ReadonlyMap<string, Shape>
  readonly fields: Fields
}

/** Where an object is in its request, and what becomes of keys that it should not have. */
interface ObjectPosition {
  /** Without the indexes of lists. */
  readonly path: readonly string[]
  readonly unknownKeys: UnknownKeyPolicy
  /** Whether an unknown key with the value null is reported at most. */
  readonly toleratesNull: boolean
}

export interface Field {
  readonly name: string
  readonly bytes: Buffer
  readonly shape: Shape
}

/** Looks up a field by the bytes of its key, without decoding most keys. */
class Fields {
  readonly #byFingerprint = new Map<number, Field[]>()

  constructor(keys: ReadonlyMap<string, Shape>) {
    for (const [name, shape] of keys) {
      const bytes = Buffer.from(name)
      const fingerprint = keyFingerprint(bytes, 0, bytes.length)
      this.#byFingerprint.set(fingerprint, [
        ...(this.#byFingerprint.get(fingerprint) ?? []),
        { name, bytes, shape },
      ])
    }
  }

  find(buf: Buffer, start: number, end: number): Field | undefined {
    const candidates = this.#byFingerprint.get(keyFingerprint(buf, start, end))
    if (candidates === undefined) return undefined
    for (const field of candidates) if (matchesAt(buf, start, field.bytes)) return field
    return undefined
  }
}

/** Length, first and last byte: unique for nearly all keys of one object. */
function keyFingerprint(buf: Buffer, start: number, end: number): number {
  return end > start ? ((end - start) << 16) | (buf[start]! << 8) | buf[end - 1]! : 0
}

function matchesAt(buf: Buffer, start: number, bytes: Buffer): boolean {
  for (let i = 0; i < bytes.length; i++) if (buf[start + i] !== bytes[i]) return false
  return true
}

interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly out?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly valueType?: z.ZodType
  readonly left?: z.ZodType
  readonly right?: z.ZodType
}

const RAW: Shape = { kind: 'raw', nullable: false }
const RAW_OR_NULL: Shape = { kind: 'raw', nullable: true }
const SCALAR: Shape = { kind: 'scalar' }
const VALUE: Shape = { kind: 'value' }

const SCALARS = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'null',
  'enum',
  'literal',
  'bigint',
  'date',
  'undefined',
])

/** What a reader of responses needs of `UnknownKeyRule`: it collects no unknown keys. */
const REPORT: UnknownKeyRule = { top: 'reported', nested: 'reported' }

/** `path` is where the value is in the request. */
export function shapeOf(
  schema: z.ZodType,
  rule: UnknownKeyRule = REPORT,
  path: readonly string[] = [],
): Shape {
  if (isRawSchema(schema)) return RAW
  const shapeHere = (inner: z.ZodType): Shape => shapeOf(inner, rule, path)
  const def = schema._zod.def as unknown as Definition
  if (def.shape !== undefined) {
    const members = Object.entries(def.shape)
    const keys = new Map(members.map(([key, field]) => [key, shapeOf(field, rule, [...path, key])]))
    return objectShape(keys, {
      path,
      unknownKeys: path.length === 0 ? rule.top : rule.nested,
      toleratesNull: rule !== REFUSE_UNKNOWN_KEYS,
    })
  }
  if (def.element !== undefined) return arrayShape(shapeHere(def.element))
  if (def.innerType !== undefined) {
    const inner = shapeHere(def.innerType)
    return def.type === 'nullable' && inner.kind === 'raw' ? RAW_OR_NULL : inner
  }
  if (def.in !== undefined && def.out !== undefined) {
    // A pipe that starts with a function (`z.preprocess`) has the shape of its output.
    return shapeHere((def.in._zod.def as unknown as Definition).type === 'transform' ? def.out : def.in)
  }
  if (def.options !== undefined) return def.options.map(shapeHere).reduce(unionShape)
  if (def.left !== undefined && def.right !== undefined)
    return unionShape(shapeHere(def.left), shapeHere(def.right))
  if (def.type === 'record' && def.valueType !== undefined)
    return { kind: 'record', value: shapeOf(def.valueType, rule, [...path, '*']) }
  return SCALARS.has(def.type) ? SCALAR : VALUE
}

function objectShape(
  keys: ReadonlyMap<string, Shape>,
  { path, unknownKeys, toleratesNull }: ObjectPosition,
): ObjectShape {
  return { kind: 'object', keys, fields: new Fields(keys), path, unknownKeys, toleratesNull }
}

function arrayShape(item: Shape): Shape {
  return {
    kind: 'array',
    item,
    maxItems: item.kind === 'raw' || item.kind === 'scalar' ? MAX_ROWS : MAX_ITEMS,
  }
}

/** The shape of a union, such as the start or end of a call in a batch. */
function unionShape(a: Shape, b: Shape): Shape {
  if (a.kind === 'object' && b.kind === 'object') {
    const keys = new Map(a.keys)
    for (const [key, shape] of b.keys) {
      const known = keys.get(key)
      keys.set(key, known === undefined ? shape : unionShape(known, shape))
    }
    return objectShape(keys, a)
  }
  if (a.kind === 'array' && b.kind === 'array') return arrayShape(unionShape(a.item, b.item))
  if (a.kind === 'record' && b.kind === 'record')
    return { kind: 'record', value: unionShape(a.value, b.value) }
  if (a.kind === 'raw' || b.kind === 'raw')
    return a.kind === b.kind && a !== b ? RAW_OR_NULL : a.kind === 'raw' ? a : b
  if (a.kind === 'scalar') return b
  if (b.kind === 'scalar') return a
  return VALUE
}
