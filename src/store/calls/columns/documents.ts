import type { StoredText } from '../../query/field.ts'
import { identifier, type Sql, sql } from '../../query/sql.ts'
import { END_COLUMNS, START_COLUMNS } from './call-columns.ts'
import { jsonDocument } from './column-codecs.ts'

const names = Object.entries({ ...START_COLUMNS, ...END_COLUMNS }).flatMap(([name, codec]) =>
  codec === jsonDocument ? [name] : [],
)

/** The JSON documents of a call, in a form that ClickHouse's JSON functions can read. */
export const documents: ReadonlyMap<string, Sql> = new Map(
  names.map((name) => {
    const column = identifier(name)
    const normalized = identifier(`${name}_normalized`)
    return [name, sql`if(${normalized} = '', ${column}, ${normalized})`]
  }),
)

/** The same documents as stored. Choosing between both forms would copy each text, a fifth of the time of a search. */
export const storedTexts: ReadonlyMap<string, StoredText> = new Map(
  names.map((name) => [
    name,
    { text: identifier(name), isNormalized: sql`${identifier(`${name}_normalized`)} != ''` },
  ]),
)
