import type { z } from 'zod'
import { isRawSchema } from '../../contract/raw-json.ts'

/**
 * Where in a document the reader builds values and where it keeps bytes. Derived once from a schema of the
 * contract, so that schema and reader cannot disagree.
 */
export type Shape =
  | { readonly kind: 'raw' }
  /** Small and without numbers that must stay exact: `JSON.parse`. */
  | { readonly kind: 'value' }
  /** Only these keys are read; others are checked and skipped. So no key of a client's becomes a JS path. */
  | { readonly kind: 'object'; readonly keys: ReadonlyMap<string, Shape> }
  /** Client-chosen keys; read into a null-prototype object. */
  | { readonly kind: 'record'; readonly value: Shape }
  | { readonly kind: 'array'; readonly item: Shape }

interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly valueType?: z.ZodType
}

const RAW: Shape = { kind: 'raw' }
const VALUE: Shape = { kind: 'value' }

export function shapeOf(schema: z.ZodType): Shape {
  if (isRawSchema(schema)) return RAW
  const def = schema._zod.def as unknown as Definition
  if (def.shape !== undefined) {
    return { kind: 'object', keys: new Map(Object.entries(def.shape).map(([key, field]) => [key, shapeOf(field)])) }
  }
  if (def.element !== undefined) return { kind: 'array', item: shapeOf(def.element) }
  if (def.innerType !== undefined) return shapeOf(def.innerType)
  if (def.in !== undefined) return shapeOf(def.in)
  if (def.options !== undefined) return def.options.map(shapeOf).reduce(either)
  if (def.type === 'record' && def.valueType !== undefined) return { kind: 'record', value: shapeOf(def.valueType) }
  return VALUE
}

/** A position that may hold one of two things, such as a start or an end in a batch. */
function either(a: Shape, b: Shape): Shape {
  if (a.kind === 'object' && b.kind === 'object') {
    const keys = new Map(a.keys)
    for (const [key, shape] of b.keys) {
      const known = keys.get(key)
      keys.set(key, known === undefined ? shape : either(known, shape))
    }
    return { kind: 'object', keys }
  }
  if (a.kind === 'array' && b.kind === 'array') return { kind: 'array', item: either(a.item, b.item) }
  if (a.kind === 'record' && b.kind === 'record') return { kind: 'record', value: either(a.value, b.value) }
  if (a.kind === 'value') return b
  return a
}
