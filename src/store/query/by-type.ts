import type { Literal } from '../../core/query/ast.ts'
import { toFloat } from './casts.ts'
import { intType } from './literal.ts'
import { type Sql, sql } from './sql.ts'
import type { Value } from './value.ts'

/** Comparisons by JSON type: a value of another type than the literal is NULL, never converted. */

export function castByType(literal: Literal, value: Value): Sql {
  switch (literal.kind) {
    case 'string':
      return stringByType(value)
    case 'bool':
      return sql`transform(${rawOf(value)}, ['true', 'false'], [1, 0], CAST(NULL AS Nullable(UInt8)))`
    case 'float':
      return numberByType(value)
    case 'int':
      return isExactFloat(literal) ? numberByType(value) : toWideInt(rawOf(value))
    default:
      return sql`if(substring(${rawOf(value)}, 1, 1) IN ('[', '{'), ${value.sql}, NULL)`
  }
}

export function stringByType(value: Value): Sql {
  return sql`if(startsWith(${rawOf(value)}, '"'), ${value.sql}, NULL)`
}

/** JSON of another type is not a number. */
export function numberByType(value: Value): Sql {
  return toFloat.text(rawOf(value))
}

/** Whether an integer compares exactly with floats: it is below 2^53, or too large for an integer type anyway. */
export function isExactFloat({ digits }: Literal & { kind: 'int' }): boolean {
  return digits.length < 16 || intType(digits) === 'Float64'
}

function rawOf({ raw }: Value): Sql {
  if (raw === undefined) throw new Error('the value is not compared by its type')
  return raw
}

/** An integer of up to 76 digits; NULL beyond. The fraction of a number of such a size does not matter. */
function toWideInt(text: Sql): Sql {
  const digits = sql`if(length(${text}) < 77, toInt256OrNull(${text}), NULL)`
  return sql`ifNull(${digits}, accurateCastOrNull(toFloat64OrNull(${text}), 'Int256'))`
}
