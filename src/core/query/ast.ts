/** The abstract syntax tree of the query language. See docs/decisions/0008-query-language.md. */

/**
 * Literals keep the type of their spelling: `1` is an int, `1.0` and `1e3` are floats. The type determines how the
 * other operand of a comparison is converted.
 */
export type Literal =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  /** The digits as sent: an integer of any size. */
  | { readonly kind: 'int'; readonly digits: string }
  /** `1e400` becomes Infinity. */
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  /** An object or array: compared as its minified text. */
  | { readonly kind: 'json'; readonly text: string }

export type Conversion = 'double' | 'string' | 'int' | 'bool' | 'exists'

export type Comparison = 'eq' | 'gt' | 'lt' | 'gte' | 'lte'

export type Operand =
  | { readonly op: 'literal'; readonly literal: Literal }
  /** `raw` is the field as sent, for error messages; `path` its parts with escapes resolved. */
  | { readonly op: 'field'; readonly path: readonly string[]; readonly raw: string }
  | { readonly op: 'convert'; readonly input: Operand; readonly to: Conversion }
  | { readonly op: 'size'; readonly input: Operand }
  | { readonly op: 'and' | 'or'; readonly operands: readonly Operand[] }
  | { readonly op: 'not'; readonly operand: Operand }
  | { readonly op: Comparison; readonly left: Operand; readonly right: Operand }
  | { readonly op: 'in'; readonly input: Operand; readonly list: readonly Operand[] }
  | {
      readonly op: 'contains'
      readonly input: Operand
      readonly substr: Operand
      readonly case_insensitive: boolean
    }
