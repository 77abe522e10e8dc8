import { bound, identifier, join, type Sql, sql } from './sql.ts'

/**
 * Reading a value out of a JSON document. Names and indexes are the client's text, so they are bound values like
 * any other.
 */
export interface JsonValue {
  /**
   * As text: strings unquoted, true and false as words, numbers normalised (5.0 is "5"), objects and arrays
   * minified, '' for what is missing or null.
   */
  readonly text: Sql
  /** There and not null. */
  readonly exists: Sql
  /** Members of an object or array, otherwise characters of the text. */
  readonly size: Sql
}

export function jsonValue(document: Sql, path: readonly string[]): JsonValue {
  return {
    text: at(document, path, textAt),
    exists: at(document, path, (place) => sql`(JSONHas(${place}) AND JSONType(${place}) != 'Null')`),
    size: at(document, path, (place) => {
      return sql`if(JSONType(${place}) IN ('Array', 'Object'), JSONLength(${place}), lengthUTF8(${textAt(place)}))`
    }),
  }
}

/** The value as JSON, '' for what is missing. */
export function jsonRaw(document: Sql, path: readonly string[]): Sql {
  return at(document, path, (place) => sql`JSONExtractRaw(${place})`)
}

function textAt(place: Sql): Sql {
  return sql`JSONExtractString(${place})`
}

/**
 * Writes `read` for the place of a value: the document and the keys into it, as arguments of the engine's JSON
 * functions. An integer part is an index in an array and a key anywhere else, and only the document tells which:
 * a lambda binds what it is, once, so that a path of many integers does not double with each of them.
 */
function at(document: Sql, path: readonly string[], read: (place: Sql) => Sql): Sql {
  const keys: Sql[] = []
  const positions: [Sql, Sql][] = []
  for (const part of path) {
    if (isIndex(part)) {
      const name = identifier(`i${positions.length}`)
      positions.push([name, positionOf(part, place(document, keys))])
      keys.push(name)
    } else {
      keys.push(sql`${part}`)
    }
  }
  return positions.reduceRight(
    (body, [name, position]) => sql`arrayMap(${name} -> ${body}, [${position}])[1]`,
    read(place(document, keys)),
  )
}

function place(document: Sql, keys: readonly Sql[]): Sql {
  return join([document, ...keys], ', ')
}

/** The engine reads indexes as 32 bits; beyond, and with leading zeros, a part can only be a key. */
function isIndex(part: string): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(part)
}

/** The engine counts from 1, also the members of objects; nothing is at 0. */
function positionOf(part: string, parent: Sql): Sql {
  const index = bound('UInt64', Number(part) + 1)
  return sql`if(JSONType(${parent}) = 'Array', ${index}, indexOf(JSONExtractKeys(${parent}), ${part}))`
}
