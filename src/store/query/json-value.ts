import { bound, identifier, join, type Sql, sql } from './sql.ts'

/** SQL that reads a value of a JSON document. Keys and indexes are text of the client, so they are bound. */
export interface JsonValue {
  /**
   * As text: strings unquoted, booleans as `true` and `false`, numbers normalized (5.0 is "5"), objects and arrays
   * minified, '' if missing or null.
   */
  readonly text: Sql
  /** Present and not null. */
  readonly exists: Sql
  /** Members of an object or array, otherwise characters of the text. */
  readonly size: Sql
}

export function jsonValue(document: Sql, path: readonly string[]): JsonValue {
  return {
    text: readAtPath(document, path, textAt),
    exists: readAtPath(
      document,
      path,
      (location) => sql`(JSONHas(${location}) AND JSONType(${location}) != 'Null')`,
    ),
    size: readAtPath(document, path, (location) => {
      return sql`if(JSONType(${location}) IN ('Array', 'Object'), JSONLength(${location}), lengthUTF8(${textAt(location)}))`
    }),
  }
}

/** The value as JSON; '' if missing. */
export function jsonRaw(document: Sql, path: readonly string[]): Sql {
  return readAtPath(document, path, (location) => sql`JSONExtractRaw(${location})`)
}

/** A number that a normalized document holds as a string, because it is out of range (core/json/normalized-json.ts). */
const QUOTED_NUMBER = sql`'^"(-?[0-9]{19,}|-?[0-9]+([.][0-9]+)?[eE][+]?[0-9]{2,})"$'`

/** The same for a document that may be normalized. Every number is unquoted. */
export function normalizedJsonRaw(document: Sql, path: readonly string[], isNormalized: Sql): Sql {
  const raw = jsonRaw(document, path)
  return sql`if(${isNormalized}, replaceRegexpOne(${raw}, ${QUOTED_NUMBER}, '\\\\1'), ${raw})`
}

function textAt(location: Sql): Sql {
  return sql`JSONExtractString(${location})`
}

/**
 * Applies `read` to the arguments that ClickHouse's JSON functions take: the document and the keys into it. An integer
 * part is an index in an array and a key anywhere else, which depends on the document. A lambda binds the decision once,
 * so that the SQL does not double with each integer of the path.
 */
function readAtPath(document: Sql, path: readonly string[], read: (location: Sql) => Sql): Sql {
  const keys: Sql[] = []
  const positions: [Sql, Sql][] = []
  for (const part of path) {
    if (isIndex(part)) {
      const name = identifier(`i${positions.length}`)
      positions.push([name, arrayIndex(part, jsonArguments(document, keys))])
      keys.push(name)
    } else {
      keys.push(sql`${part}`)
    }
  }
  return positions.reduceRight(
    (body, [name, position]) => sql`arrayMap(${name} -> ${body}, [${position}])[1]`,
    read(jsonArguments(document, keys)),
  )
}

function jsonArguments(document: Sql, keys: readonly Sql[]): Sql {
  return join([document, ...keys], ', ')
}

/** ClickHouse has 32-bit indexes. Larger numbers, and numbers with leading zeros, can only be keys. */
function isIndex(part: string): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(part)
}

/** ClickHouse counts array items and object members from 1; 0 matches nothing. */
function arrayIndex(part: string, parent: Sql): Sql {
  const index = bound('UInt64', Number(part) + 1)
  return sql`if(JSONType(${parent}) = 'Array', ${index}, indexOf(JSONExtractKeys(${parent}), ${part}))`
}
